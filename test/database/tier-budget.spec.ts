import type { Database } from '../../src/infra/database/database';
import { uuidV7 } from '../../src/kernel/uuid';
import { PostgresTierBudgetStore } from '../../src/modules/sending/adapters/postgres-tier-budget-store';
import type { TierGrant, TierRequest } from '../../src/modules/sending/domain/tier-budget-store.port';
import { describeOnDatabase } from '../support/databases';

describeOnDatabase('The table of conversations that count against a messaging tier', (open) => {
  let database: Database;
  let store: PostgresTierBudgetStore;
  let portfolio: string;

  beforeAll(async () => {
    database = await open();
    store = new PostgresTierBudgetStore(database);
  });

  beforeEach(() => {
    portfolio = uuidV7();
  });

  const request = (person: string): TierRequest => ({ person, messageId: uuidV7() });
  const take = (limit: number, requests: readonly TierRequest[]): Promise<TierGrant> =>
    database.transaction(() => store.take(portfolio, limit, requests, true));

  it('releases no room that a concurrent claim relies on', async () => {
    const refused = request('a');
    await take(2, [refused]);
    let refuse = (): void => undefined;
    const given = new Promise<void>((resolve) => (refuse = resolve)).then(() => store.giveBack([refused.messageId]));
    const rows = jest.spyOn(database, 'rows').mockImplementation(async (sql, parameters) => {
      const { rows: found } = await database.execute<never>(sql, parameters);
      // It has found the person in the window, but not yet recorded that it relies on it.
      if (sql.startsWith('SELECT person')) {
        refuse();
        await database.execute('SELECT pg_sleep(0.3)');
      }
      return found;
    });
    await take(2, [request('a')]);
    rows.mockRestore();
    await given;

    expect((await take(2, [request('b'), request('c')])).granted).toEqual([true, false]);
  });

  it('deletes people who left the window long ago', async () => {
    await take(2, [request('a'), request('b')]);
    await database.execute(
      `UPDATE tier_conversations SET at = at - interval '26 hours' WHERE portfolio_id = $1 AND person = 'a'`,
      [portfolio],
    );
    await take(2, [request('b')]);
    const rows = await database.rows<{ person: string }>(
      'SELECT person FROM tier_conversations WHERE portfolio_id = $1',
      [portfolio],
    );
    expect(rows).toEqual([{ person: 'b' }]);
  });
});
