import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { type ClosedJob, JobWindowStore } from '../domain/job-window-store.port';
import { CLOSED_JOBS, MARK_CLOSED } from './job-windows.sql';

/** The column `window_opens_at` of `bulk_jobs`. */
@Injectable()
export class PostgresJobWindowStore extends JobWindowStore {
  constructor(private readonly database: Database) {
    super();
  }

  closed(limit: number): Promise<ClosedJob[]> {
    return this.database.rows<ClosedJob>(CLOSED_JOBS, [limit]);
  }

  async markClosed(jobId: string, opensAt: Date): Promise<void> {
    await this.database.execute(MARK_CLOSED, [jobId, opensAt]);
  }
}
