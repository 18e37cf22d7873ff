import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import type { OptOutKeywords } from '../domain/opt-out-keywords';
import { OptOutKeywordsStore } from '../domain/opt-out-keywords-store.port';

/** Keywords in two columns of the table `accounts`; NULL where the account has not chosen any. */
@Injectable()
export class PostgresOptOutKeywordsStore extends OptOutKeywordsStore {
  constructor(private readonly database: Database) {
    super();
  }

  async of(accountId: string): Promise<OptOutKeywords | null> {
    const [row] = await this.database.rows<OptOutKeywords>(
      `SELECT opt_out_keywords AS "optOutKeywords", opt_in_keywords AS "optInKeywords" FROM accounts
       WHERE id = $1 AND opt_out_keywords IS NOT NULL AND opt_in_keywords IS NOT NULL`,
      [accountId],
    );
    return row ?? null;
  }

  async set(accountId: string, { optOutKeywords, optInKeywords }: OptOutKeywords): Promise<void> {
    await this.database.execute(
      'UPDATE accounts SET opt_out_keywords = $2, opt_in_keywords = $3, updated_at = now() WHERE id = $1',
      [accountId, optOutKeywords, optInKeywords],
    );
  }
}
