import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import {
  type JobValidity,
  type MisplacedJob,
  TemplateJobStore,
  type WaitingJob,
} from '../domain/template-job-store.port';
import { DOUBTED, EXPLAIN, LOCK_WAITING, MISPLACED, RESUME, WAITING } from './template-jobs.sql';

/** Reads `templates` beside the jobs that use them. */
@Injectable()
export class PostgresTemplateJobStore extends TemplateJobStore {
  constructor(private readonly database: Database) {
    super();
  }

  misplaced(limit: number): Promise<MisplacedJob[]> {
    return this.database.rows(MISPLACED, [limit]);
  }

  waiting(problems: readonly string[], limit: number): Promise<WaitingJob[]> {
    return this.database.rows(WAITING, [problems, limit]);
  }

  async doubtedAccounts(problems: readonly string[]): Promise<string[]> {
    const rows = await this.database.rows<{ accountId: string }>(DOUBTED, [problems]);
    return rows.map(({ accountId }) => accountId);
  }

  async lock(jobId: string, problems: readonly string[]): Promise<JobValidity | null> {
    const [job] = await this.database.rows<JobValidity>(LOCK_WAITING, [jobId, problems]);
    return job ?? null;
  }

  async resume(jobId: string, revisionId: string, validUntil: Date | undefined): Promise<void> {
    await this.database.execute(RESUME, [jobId, revisionId, validUntil ?? null]);
  }

  async explain(jobId: string, problems: readonly string[], problem: string, reason: string): Promise<boolean> {
    return (await this.database.execute(EXPLAIN, [jobId, problems, problem, reason])).affected > 0;
  }
}
