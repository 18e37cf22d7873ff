import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import {
  type JobValidity,
  type UnsendableJob,
  TemplateJobStore,
  type WaitingJob,
} from '../domain/template-job-store.port';
import { ACCOUNTS_TO_SYNC, CHANGE_REASON, LOCK_WAITING, UNSENDABLE, RESUME, WAITING } from './template-jobs.sql';

/** Jobs joined with the `templates` they use. */
@Injectable()
export class PostgresTemplateJobStore extends TemplateJobStore {
  constructor(private readonly database: Database) {
    super();
  }

  unsendable(limit: number): Promise<UnsendableJob[]> {
    return this.database.rows(UNSENDABLE, [limit]);
  }

  waiting(problems: readonly string[], limit: number): Promise<WaitingJob[]> {
    return this.database.rows(WAITING, [problems, limit]);
  }

  async accountsToSync(problems: readonly string[]): Promise<string[]> {
    const rows = await this.database.rows<{ accountId: string }>(ACCOUNTS_TO_SYNC, [problems]);
    return rows.map(({ accountId }) => accountId);
  }

  async lock(jobId: string, problems: readonly string[]): Promise<JobValidity | null> {
    const [job] = await this.database.rows<JobValidity>(LOCK_WAITING, [jobId, problems]);
    return job ?? null;
  }

  async resume(jobId: string, revisionId: string, validUntil: Date | undefined): Promise<void> {
    await this.database.execute(RESUME, [jobId, revisionId, validUntil ?? null]);
  }

  async changeReason(jobId: string, problems: readonly string[], problem: string, reason: string): Promise<boolean> {
    return (await this.database.execute(CHANGE_REASON, [jobId, problems, problem, reason])).affected > 0;
  }
}
