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
/** Entries of an export that are read at a time. */
const PART = 1000;

/** A caller, or the service itself if there is no key. */
export type Actor = Pick<Caller, 'accountId' | 'address'> & { keyId: string | null; keyPrefix: string | null };

/** The service, acting in an account without a caller. */
export function serviceIn(accountId: string): Actor {
  return { accountId, keyId: null, keyPrefix: null };
}

/** An action to record; `accountId`: default the actor's account. */
export interface AuditedAction {
  action: AuditAction;
  targetId: string | null;
  accountId?: string;
  fields?: readonly string[];
}

/** The audit log: who changed what, and who created jobs, but not each single send, whose message names its key. */
@Injectable()
export class AuditLogService {
  constructor(
    private readonly store: AuditStore,
    private readonly clock: Clock,
  ) {}

  /** Records an action; called in its unit of work, if it has one. */
  async record(actor: Actor, { action, targetId, accountId, fields = [] }: AuditedAction): Promise<void> {
    await this.store.add({
      id: uuidV7(),
      accountId: accountId ?? actor.accountId,
      actorAccountId: actor.accountId,
      keyId: actor.keyId,
      keyPrefix: actor.keyPrefix,
      address: actor.address ?? null,
      action,
      targetId,
      fields,
      createdAt: this.clock.now(),
    });
  }

  /** All entries that `list` has, in parts, newest first. */
  async *parts(caller: Caller, filter: Partial<AuditFilter>): AsyncGenerator<AuditEntry[]> {
    let cursor: string | undefined;
    do {
      const { items, nextCursor } = await this.list(caller, { ...filter, limit: PART, ...(cursor && { cursor }) });
      yield items;
      cursor = nextCursor ?? undefined;
    } while (cursor !== undefined);
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
