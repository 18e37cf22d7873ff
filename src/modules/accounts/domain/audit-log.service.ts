import { Injectable } from '@nestjs/common';
import { type Caller, scopesInclude } from '../../../kernel/caller';
import { Clock } from '../../../kernel/clock';
import type { Slice } from '../../../kernel/page';
import { decodeCursor } from '../../../kernel/time-cursor';
import { uuidV7 } from '../../../kernel/uuid';
import type { AuditAction, AuditEntry, AuditFilter } from './audit-entry';
import { AuditStore } from './audit-store.port';

/** How long entries are kept. */
const RETENTION_MS = 730 * 86_400_000;

/** A caller, or the service itself if there is no key. */
type Actor = Pick<Caller, 'accountId' | 'address'> & { keyPrefix: string | null };

/** An action to record; `accountId`: default the actor's account. */
export interface AuditedAction {
  action: AuditAction;
  targetId: string | null;
  accountId?: string;
  fields?: readonly string[];
}

/** The audit log of keys, accounts, senders and erasures. */
@Injectable()
export class AuditLogService {
  constructor(
    private readonly store: AuditStore,
    private readonly clock: Clock,
  ) {}

  /** Records an action; must be called in its unit of work. */
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

  /** Entries of the caller's account, newest first; for the operator, of all accounts or the requested one. */
  list(
    caller: Caller,
    { cursor, limit, ...filter }: Partial<AuditFilter> & { cursor?: string; limit: number },
  ): Promise<Slice<AuditEntry>> {
    const seesAll = scopesInclude(caller.scopes, 'accounts:manage');
    const accountId = seesAll ? (filter.accountId ?? null) : caller.accountId;
    const isForeign = filter.accountId !== undefined && accountId !== filter.accountId;
    if (isForeign) return Promise.resolve({ items: [], nextCursor: null });
    return this.store.slice({ ...filter, accountId }, cursor === undefined ? null : decodeCursor(cursor), limit);
  }

  /** Deletes at most `limit` entries older than two years and returns their number. */
  expire(limit: number): Promise<number> {
    return this.store.removeBefore(new Date(this.clock.now().getTime() - RETENTION_MS), limit);
  }
}
