import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { JobWindowStore } from '../domain/job-window-store.port';
import { MARK_CLOSED } from './job-windows.sql';

/** The column `window_opens_at` of `bulk_jobs`. */
@Injectable()
export class PostgresJobWindowStore extends JobWindowStore {
  constructor(private readonly database: Database) {
    super();
  }

  async markClosed(limit: number): Promise<number> {
    return (await this.database.execute(MARK_CLOSED, [limit])).affected;
  }
}
