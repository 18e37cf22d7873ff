import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { type HistoryTerm, HistoryTermStore } from '../domain/history-term-store.port';

/** Stores the retention of each account in a column of `accounts`. */
@Injectable()
export class PostgresHistoryTermStore extends HistoryTermStore {
  constructor(private readonly database: Database) {
    super();
  }

  async find(accountId: string): Promise<number | null> {
    const [row] = await this.database.rows<Pick<HistoryTerm, 'retentionDays'>>(
      'SELECT retention_days AS "retentionDays" FROM accounts WHERE id = $1',
      [accountId],
    );
    return row?.retentionDays ?? null;
  }

  async set(accountId: string, retentionDays: number): Promise<boolean> {
    const { affected } = await this.database.execute(
      'UPDATE accounts SET retention_days = $2, updated_at = now() WHERE id = $1',
      [accountId, retentionDays],
    );
    return affected === 1;
  }

  all(): Promise<HistoryTerm[]> {
    return this.database.rows<HistoryTerm>(
      'SELECT id AS "accountId", retention_days AS "retentionDays" FROM accounts ORDER BY created_at, id',
    );
  }
}
