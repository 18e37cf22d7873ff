import { TypeOrmUnitOfWork } from '../../src/infra/database/typeorm-unit-of-work';
import type { UnitOfWork } from '../../src/kernel/unit-of-work';
import { uuidV7 } from '../../src/kernel/uuid';
import { PostgresTierBudgetStore } from '../../src/modules/sending/adapters/postgres-tier-budget-store';
import type { TierBudgetStore, TierGrant, TierRequest } from '../../src/modules/sending/domain/tier-budget-store.port';
import { SystemClock } from '../../src/infra/system-clock';
import { EngineDatabase } from '../fakes/engine-database';
import { SimulatedTierStore } from '../simulation/simulated-tier-store';
import { describeOnDatabase } from '../support/databases';

const HOUR_MS = 3_600_000;

interface Shared {
  unitOfWork: UnitOfWork;
  store: TierBudgetStore;
  /** Backdates a conversation by hours. */
  age: (portfolioId: string, person: string, hours: number) => Promise<unknown>;
}

describe('The budget of a messaging tier in memory', () => {
  tierBudgetStoreSuite(() => {
    const database = new EngineDatabase(new SystemClock());
    const age = (portfolioId: string, person: string, hours: number): Promise<void> => {
      const row = database.server.conversations.row(`${portfolioId} ${person}`);
      row.committed = { ...row.committed!, at: row.committed!.at - hours * HOUR_MS };
      return Promise.resolve();
    };
    return Promise.resolve({ unitOfWork: database, store: new SimulatedTierStore(database, 24 * HOUR_MS), age });
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

  const take = (limit: number, requests: readonly TierRequest[], inOrder = true): Promise<TierGrant> =>
    unitOfWork.run(() => store.take(portfolio, limit, requests, inOrder));
  const age = (person: string, hours: number): Promise<unknown> => shared.age(portfolio, person, hours);

  it('grants people up to the limit, and returns when the next one leaves the window', async () => {
    const { granted, until } = await take(2, [request('a'), request('b'), request('c')]);
    expect(granted).toEqual([true, true, false]);
    const wait = until!.getTime() - Date.now();
    expect(wait).toBeGreaterThan(23.9 * HOUR_MS);
    expect(wait).toBeLessThanOrEqual(24.1 * HOUR_MS);
  });

  it('needs no room for a person in the window', async () => {
    await take(2, [request('a'), request('b')]);
    expect(await take(2, [request('b'), request('a'), request('a')])).toEqual({
      granted: [true, true, true],
      until: null,
    });
  });

  it('grants nothing after the first refusal of a job, otherwise each request separately', async () => {
    await take(1, [request('a')]);
    expect((await take(1, [request('b'), request('a')])).granted).toEqual([false, false]);
    expect((await take(1, [request('b'), request('a')], false)).granted).toEqual([false, true]);
  });

  it('moves with time', async () => {
    await take(1, [request('a')]);
    await age('a', 23);
    expect((await take(1, [request('b')])).granted).toEqual([false]);
    await age('a', 1.1);
    expect((await take(1, [request('b')])).granted).toEqual([true]);
  });

  it('is shared by the senders of a portfolio, and by no others', async () => {
    await take(1, [request('a')]);
    const other = unitOfWork.run(() => store.take(uuidV7(), 1, [request('b')], true));
    expect((await other).granted).toEqual([true]);
  });

  it('returns the number of people in the window, and when the next one leaves it', async () => {
    expect(await store.use(portfolio)).toEqual({ people: 0, nextLeavesAt: null });
    await take(5, [request('1'), request('2'), request('3')]);
    await shared.age(portfolio, '1', 25);
    await shared.age(portfolio, '2', 20);
    const { people, nextLeavesAt } = await store.use(portfolio);
    expect(people).toBe(2);
    expect(await store.known(portfolio, ['1', '3', '4'])).toEqual(new Set(['3']));
    expect(await store.known(uuidV7(), ['3'])).toEqual(new Set());
    expect(Math.abs(nextLeavesAt!.getTime() - Date.now() - 4 * HOUR_MS)).toBeLessThan(HOUR_MS);
  });

  it('frees the room of a refused message', async () => {
    const refused = request('a');
    await take(1, [refused]);
    await store.giveBack([refused.messageId]);
    expect((await take(1, [request('b')])).granted).toEqual([true]);
  });

  it('frees no room that another message to the person relies on', async () => {
    const [first, second] = [request('a'), request('a')];
    await take(1, [first]);
    await take(1, [second]);
    await store.giveBack([first.messageId, second.messageId]);
    expect((await take(1, [request('b')])).granted).toEqual([false]);
  });

  it('recounts a window that seems full, and never exceeds the limit', async () => {
    const people = Array.from({ length: 10 }, (_, n) => request(`p${n}`));
    for (const one of people) await take(10, [one]);
    for (const { person } of people.slice(0, 4)) await age(person, 25);
    await store.giveBack([people[9]!.messageId]);

    const { granted } = await take(10, ['q', 'r', 's', 't', 'u', 'v', 'w'].map(request), false);
    expect(granted).toEqual([true, true, true, true, true, false, false]);
  });

  it('counts a person whose number becomes known once', async () => {
    const request = (person: string) => ({ person, messageId: uuidV7() });
    await take(10, [request('DE.1'), request('DE.2'), request('491510000001'), request('491510000003')]);
    await store.rename(
      portfolio,
      new Map([
        ['DE.1', '491510000001'],
        ['DE.2', '491510000002'],
        ['DE.3', '491510000003'],
      ]),
    );
    expect((await store.use(portfolio)).people).toBe(3);
    const people = ['DE.1', 'DE.2', '491510000001', '491510000002', '491510000003'];
    expect([...(await store.known(portfolio, people))].sort()).toEqual([
      '491510000001',
      '491510000002',
      '491510000003',
    ]);
  });

  it('is rolled back with its claim', async () => {
    const claim = unitOfWork.run(async () => {
      await store.take(portfolio, 1, [request('a')], true);
      throw new Error('the claim is lost');
    });
    await expect(claim).rejects.toThrow('the claim is lost');
    expect((await take(1, [request('b')])).granted).toEqual([true]);
  });

  it('is never exceeded by concurrent claims', async () => {
    const takers = Array.from({ length: 8 }, (_, n) =>
      take(10, [request(`p${n}`), request(`q${n}`), request(`r${n}`)]),
    );
    const granted = (await Promise.all(takers)).flatMap((grant) => grant.granted);
    expect(granted.filter(Boolean)).toHaveLength(10);
  });
}

function request(person: string): TierRequest {
  return { person, messageId: uuidV7() };
}
