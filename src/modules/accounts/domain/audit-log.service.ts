import { Injectable } from '@nestjs/common';
import { type Caller, scopesInclude } from '../../../kernel/caller';
import { Clock } from '../../../kernel/clock';
import type { Slice } from '../../../kernel/page';
import { decodeCursor } from '../../../kernel/time-cursor';
import { uuidV7 } from '../../../kernel/uuid';
import type { AuditAction, AuditEntry } from './audit-entry';
import { AuditStore } from './audit-store.port';

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

  /** Records what the caller does; call it in the unit of work that does it. */
  async record(caller: Caller, { action, targetId, accountId, fields = [] }: AuditedAction): Promise<void> {
    await this.store.add({
      id: uuidV7(),
      accountId: accountId ?? caller.accountId,
      actorAccountId: caller.accountId,
      keyPrefix: caller.keyPrefix,
      address: caller.address ?? null,
      action,
      targetId,
      fields,
      createdAt: this.clock.now(),
    });
  }

  /** Newest first: what concerns the caller's account; for the operator all accounts, or the one asked for. */
  list(caller: Caller, asked: { accountId?: string; cursor?: string; limit: number }): Promise<Slice<AuditEntry>> {
    const seesAll = scopesInclude(caller.scopes, 'accounts:manage');
    const accountId = seesAll ? (asked.accountId ?? null) : caller.accountId;
    const isOthers = asked.accountId !== undefined && accountId !== asked.accountId;
    if (isOthers) return Promise.resolve({ items: [], nextCursor: null });
    return this.store.slice(accountId, asked.cursor === undefined ? null : decodeCursor(asked.cursor), asked.limit);
  }
}
