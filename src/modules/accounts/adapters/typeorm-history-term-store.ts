import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { type HistoryTerm, HistoryTermStore } from '../domain/history-term-store.port';

interface TermRow {
  id: string;
  retention_days: number;
}

/** Keeps the terms in a column of `accounts`. */
@Injectable()
export class TypeOrmHistoryTermStore extends HistoryTermStore {
  constructor(private readonly database: Database) {
    super();
  }

  async find(accountId: string): Promise<number | null> {
    const [row] = await this.database.rows<TermRow>('SELECT id, retention_days FROM accounts WHERE id = $1', [
      accountId,
    ]);
    return row?.retention_days ?? null;
  }

  async set(accountId: string, retentionDays: number): Promise<boolean> {
    const { affected } = await this.database.execute(
      'UPDATE accounts SET retention_days = $2, updated_at = now() WHERE id = $1',
      [accountId, retentionDays],
    );
    return affected === 1;
  }

  async all(): Promise<HistoryTerm[]> {
    const rows = await this.database.rows<TermRow>('SELECT id, retention_days FROM accounts ORDER BY created_at, id');
    return rows.map((row) => ({ accountId: row.id, retentionDays: row.retention_days }));
  }
}
