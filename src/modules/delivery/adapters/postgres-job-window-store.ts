import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { JobWindowStore } from '../domain/job-window-store.port';
import { LOCK_CLOSED, MARK_CLOSED, WAKE_OPEN } from './job-windows.sql';

/** The columns `window_opens_at` and `at_rest` of `bulk_jobs`. */
@Injectable()
export class PostgresJobWindowStore extends JobWindowStore {
  constructor(private readonly database: Database) {
    super();
  }

  markClosed(limit: number): Promise<number> {
    return this.database.transaction(async () => {
      const locked = await this.database.rows<{ id: string }>(LOCK_CLOSED, [limit]);
      if (locked.length === 0) return 0;
      return (await this.database.execute(MARK_CLOSED, [locked.map(({ id }) => id)])).affected;
    });
  }

  async wakeOpen(limit: number): Promise<string[]> {
    const { rows } = await this.database.execute<{ senderId: string }>(WAKE_OPEN, [limit]);
    return rows.map(({ senderId }) => senderId);
  }
}
