import { TypeOrmUnitOfWork } from '../../src/infra/database/typeorm-unit-of-work';
import type { UnitOfWork } from '../../src/kernel/unit-of-work';
import { uuidV7 } from '../../src/kernel/uuid';
import { PostgresTierBudgetStore } from '../../src/modules/sending/adapters/postgres-tier-budget-store';
import type { TierBudgetStore, TierGrant, TierWish } from '../../src/modules/sending/domain/tier-budget-store.port';
import { MemoryDatabase } from '../fakes/memory-database';
import { TierInMemory } from '../fakes/tier-in-memory';
import { describeOnDatabase } from '../support/databases';

const HOUR_MS = 3_600_000;

interface Shared {
  unitOfWork: UnitOfWork;
  store: TierBudgetStore;
  /** Makes a conversation older by so many hours. */
  age: (portfolioId: string, person: string, hours: number) => Promise<unknown>;
}

describe('The budget of a messaging tier in memory', () => {
  tierBudgetStoreSuite(() => {
    const database = new MemoryDatabase();
    const age = (portfolioId: string, person: string, hours: number): Promise<void> => {
      const { conversations } = database.tables;
      const row = conversations.find((one) => one.portfolioId === portfolioId && one.person === person)!;
      row.at = new Date(row.at.getTime() - hours * HOUR_MS);
      return Promise.resolve();
    };
    return Promise.resolve({ unitOfWork: database, store: new TierInMemory(database), age });
  });
});

describeOnDatabase('The budget of a messaging tier', (open) => {
  tierBudgetStoreSuite(async () => {
    const database = await open();
    const age = (portfolioId: string, person: string, hours: number): Promise<unknown> =>
      database.execute(
        `UPDATE tier_conversations SET at = at - $3 * interval '1 hour' WHERE portfolio_id = $1 AND person = $2`,
        [portfolioId, person, hours],
      );
    return { unitOfWork: new TypeOrmUnitOfWork(database), store: new PostgresTierBudgetStore(database), age };
  });
});

function tierBudgetStoreSuite(open: () => Promise<Shared>): void {
  let shared: Shared;
  let unitOfWork: UnitOfWork;
  let store: TierBudgetStore;
  let portfolio: string;

  beforeAll(async () => {
    shared = await open();
    ({ unitOfWork, store } = shared);
  });

  beforeEach(() => {
    portfolio = uuidV7();
  });

  const take = (limit: number, wishes: readonly TierWish[], inOrder = true): Promise<TierGrant> =>
    unitOfWork.run(() => store.take(portfolio, limit, wishes, inOrder));
  const age = (person: string, hours: number): Promise<unknown> => shared.age(portfolio, person, hours);

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
    const other = unitOfWork.run(() => store.take(uuidV7(), 1, [wish('b')], true));
    expect((await other).granted).toEqual([true]);
  });

  it('says how many people are in the window, and when the next one leaves it', async () => {
    expect(await store.use(portfolio)).toEqual({ people: 0, nextLeavesAt: null });
    await take(5, [wish('1'), wish('2'), wish('3')]);
    await shared.age(portfolio, '1', 25);
    await shared.age(portfolio, '2', 20);
    const { people, nextLeavesAt } = await store.use(portfolio);
    expect(people).toBe(2);
    expect(await store.known(portfolio, ['1', '3', '4'])).toEqual(new Set(['3']));
    expect(await store.known(uuidV7(), ['3'])).toEqual(new Set());
    expect(Math.abs(nextLeavesAt!.getTime() - Date.now() - 4 * HOUR_MS)).toBeLessThan(HOUR_MS);
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

  it('is undone with the claim that took it', async () => {
    const claim = unitOfWork.run(async () => {
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
}

function wish(person: string): TierWish {
  return { person, messageId: uuidV7() };
}
