import { Injectable } from '@nestjs/common';
import { type Caller, scopesInclude } from '../../../kernel/caller';
import { Clock } from '../../../kernel/clock';
import type { Slice } from '../../../kernel/page';
import { decodeCursor } from '../../../kernel/time-cursor';
import { uuidV7 } from '../../../kernel/uuid';
import type { AuditAction, AuditEntry, AuditFilter } from './audit-entry';
import { AuditStore } from './audit-store.port';

/** How long entries are kept. */
const KEPT_MS = 730 * 86_400_000;

/** Who did it: a caller, or without a key the service itself. */
type Actor = Pick<Caller, 'accountId' | 'address'> & { keyPrefix: string | null };

/** What a caller did: in its own account, unless `accountId` says another one. */
export interface AuditedAction {
  action: AuditAction;
  targetId: string | null;
  accountId?: string;
  fields?: readonly string[];
}

/** The record of who did what with keys, accounts, senders and erasures. */
@Injectable()
export class AuditLogService {
  constructor(
    private readonly store: AuditStore,
    private readonly clock: Clock,
  ) {}

  /** Records what is done; call it in the unit of work that does it. */
  async record(actor: Actor, { action, targetId, accountId, fields = [] }: AuditedAction): Promise<void> {
    await this.store.add({
      id: uuidV7(),
      accountId: accountId ?? actor.accountId,
      actorAccountId: actor.accountId,
      keyPrefix: actor.keyPrefix,
      address: actor.address ?? null,
      action,
      targetId,
      fields,
      createdAt: this.clock.now(),
    });
  }

  /** Newest first: what concerns the caller's account; for the operator all accounts, or the one asked for. */
  list(
    caller: Caller,
    { cursor, limit, ...asked }: Partial<AuditFilter> & { cursor?: string; limit: number },
  ): Promise<Slice<AuditEntry>> {
    const seesAll = scopesInclude(caller.scopes, 'accounts:manage');
    const accountId = seesAll ? (asked.accountId ?? null) : caller.accountId;
    const isOthers = asked.accountId !== undefined && accountId !== asked.accountId;
    if (isOthers) return Promise.resolve({ items: [], nextCursor: null });
    return this.store.slice({ ...asked, accountId }, cursor === undefined ? null : decodeCursor(cursor), limit);
  }

  /** Deletes what is older than two years, at most `limit` entries; how many. */
  expire(limit: number): Promise<number> {
    return this.store.removeBefore(new Date(this.clock.now().getTime() - KEPT_MS), limit);
  }
}
