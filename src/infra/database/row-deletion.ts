import type { Database } from './database';

/** Deletes rows of an account, with one statement after the other: $1 account, $2 at most so many rows. */
export class RowDeletion {
  constructor(
    private readonly database: Database,
    private readonly statements: readonly string[],
  ) {}

  /** Deletes rows with the first statement that finds any; returns their number, 0 if none is left. */
  async deleteSome(accountId: string, limit: number): Promise<number> {
    for (const statement of this.statements) {
      const { affected } = await this.database.execute(statement, [accountId, limit]);
      if (affected > 0) return affected;
    }
    return 0;
  }
}
