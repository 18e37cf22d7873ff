import type { Database } from '../../src/infra/database/database';
import { uuidV7 } from '../../src/kernel/uuid';
import { TypeOrmTierBudgetStore } from '../../src/modules/sending/adapters/typeorm-tier-budget-store';
import type { TierGrant, TierWish } from '../../src/modules/sending/domain/tier-budget-store.port';
import { describeOnDatabase } from './databases';

const HOUR_MS = 3_600_000;

describeOnDatabase('The budget of a messaging tier', (open) => {
  let database: Database;
  let store: TypeOrmTierBudgetStore;
  let portfolio: string;

  beforeAll(async () => {
    database = await open();
    store = new TypeOrmTierBudgetStore(database);
  });

  beforeEach(() => {
    portfolio = uuidV7();
  });

  const wish = (person: string): TierWish => ({ person, messageId: uuidV7() });
  const take = (limit: number, wishes: readonly TierWish[], inOrder = true): Promise<TierGrant> =>
    database.transaction(() => store.take(portfolio, limit, wishes, inOrder));
  const age = (person: string, hours: number): Promise<unknown> =>
    database.execute(
      `UPDATE tier_conversations SET at = at - $3 * interval '1 hour' WHERE portfolio_id = $1 AND person = $2`,
      [portfolio, person, hours],
    );

  it('grants as many people as the limit and says when the next one leaves the window', async () => {
    const { granted, until } = await take(2, [wish('a'), wish('b'), wish('c')]);
    expect(granted).toEqual([true, true, false]);
    const wait = until!.getTime() - Date.now();
    expect(wait).toBeGreaterThan(23.9 * HOUR_MS);
    expect(wait).toBeLessThanOrEqual(24.1 * HOUR_MS);
  });

  it('costs nothing for somebody who is in the window already', async () => {
    await take(2, [wish('a'), wish('b')]);
    expect(await take(2, [wish('b'), wish('a'), wish('a')])).toEqual({ granted: [true, true, true], until: null });
  });

  it('grants nothing behind the first refusal of a job, and each by itself otherwise', async () => {
    await take(1, [wish('a')]);
    expect((await take(1, [wish('b'), wish('a')])).granted).toEqual([false, false]);
    expect((await take(1, [wish('b'), wish('a')], false)).granted).toEqual([false, true]);
  });

  it('moves with the time', async () => {
    await take(1, [wish('a')]);
    await age('a', 23);
    expect((await take(1, [wish('b')])).granted).toEqual([false]);
    await age('a', 1.1);
    expect((await take(1, [wish('b')])).granted).toEqual([true]);
  });

  it('is one for all senders of a portfolio, and none of another', async () => {
    await take(1, [wish('a')]);
    const other = database.transaction(() => store.take(uuidV7(), 1, [wish('b')], true));
    expect((await other).granted).toEqual([true]);
  });

  it('gives back what a refused message took', async () => {
    const refused = wish('a');
    await take(1, [refused]);
    await store.giveBack([refused.messageId]);
    expect((await take(1, [wish('b')])).granted).toEqual([true]);
  });

  it('gives nothing back while another message to the person relies on it', async () => {
    const [first, second] = [wish('a'), wish('a')];
    await take(1, [first]);
    await take(1, [second]);
    await store.giveBack([first.messageId, second.messageId]);
    expect((await take(1, [wish('b')])).granted).toEqual([false]);
  });

  it('counts anew when the window seems full, and never more than the limit', async () => {
    const people = Array.from({ length: 10 }, (_, n) => wish(`p${n}`));
    for (const one of people) await take(10, [one]);
    for (const { person } of people.slice(0, 4)) await age(person, 25);
    await store.giveBack([people[9]!.messageId]);

    const { granted } = await take(10, ['q', 'r', 's', 't', 'u', 'v', 'w'].map(wish), false);
    expect(granted).toEqual([true, true, true, true, true, false, false]);
  });

  it('gives nothing back under a claim that is about to rely on it', async () => {
    const refused = wish('a');
    await take(2, [refused]);
    let refuse = (): void => undefined;
    const given = new Promise<void>((resolve) => (refuse = resolve)).then(() => store.giveBack([refused.messageId]));
    const rows = jest.spyOn(database, 'rows').mockImplementation(async (sql, parameters) => {
      const { rows: found } = await database.execute<never>(sql, parameters);
      // It knows that the person is in the window, and has not written yet that it relies on it.
      if (sql.startsWith('SELECT person')) {
        refuse();
        await database.execute('SELECT pg_sleep(0.3)');
      }
      return found;
    });
    await take(2, [wish('a')]);
    rows.mockRestore();
    await given;

    expect((await take(2, [wish('b'), wish('c')])).granted).toEqual([true, false]);
  });

  it('is undone with the claim that took it', async () => {
    const claim = database.transaction(async () => {
      await store.take(portfolio, 1, [wish('a')], true);
      throw new Error('the claim is lost');
    });
    await expect(claim).rejects.toThrow('the claim is lost');
    expect((await take(1, [wish('b')])).granted).toEqual([true]);
  });

  it('is never overdrawn by claims at the same time', async () => {
    const takers = Array.from({ length: 8 }, (_, n) => take(10, [wish(`p${n}`), wish(`q${n}`), wish(`r${n}`)]));
    const granted = (await Promise.all(takers)).flatMap((grant) => grant.granted);
    expect(granted.filter(Boolean)).toHaveLength(10);
  });

  it('forgets who left the window long ago', async () => {
    await take(2, [wish('a'), wish('b')]);
    await age('a', 26);
    await take(2, [wish('b')]);
    const rows = await database.rows<{ person: string }>(
      'SELECT person FROM tier_conversations WHERE portfolio_id = $1',
      [portfolio],
    );
    expect(rows).toEqual([{ person: 'b' }]);
  });
});
