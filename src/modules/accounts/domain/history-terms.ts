import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { AccountNotFoundError } from './accounts.errors';
import { type Actor, AuditLogService } from './audit-log.service';
import { type HistoryTerm, HistoryTermStore } from './history-term-store.port';

/** Bounds of an account's retention, in days. */
export const RETENTION_DAYS = { least: 1, most: 730 } as const;

/** How long each account keeps its messages and the recipients of its finished jobs. */
@Injectable()
export class HistoryTerms {
  constructor(
    private readonly store: HistoryTermStore,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditLogService,
  ) {}

  /** The retention of one account in days; throws AccountNotFoundError. */
  async of(accountId: string): Promise<number> {
    const days = await this.store.find(accountId);
    if (days === null) throw new AccountNotFoundError();
    return days;
  }

  /** Sets the retention of the actor's account, within RETENTION_DAYS; throws AccountNotFoundError. */
  async set(actor: Actor, retentionDays: number): Promise<void> {
    await this.unitOfWork.run(async () => {
      if (!(await this.store.set(actor.accountId, retentionDays))) throw new AccountNotFoundError();
      await this.audit.record(actor, { action: 'settings.changed', targetId: null, fields: ['retentionDays'] });
    });
  }

  /** The retention of every account, oldest account first. */
  all(): Promise<HistoryTerm[]> {
    return this.store.all();
  }
}
