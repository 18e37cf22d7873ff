import { noKnownNumbers } from '../../../../test/fakes/in-memory-known-numbers';
import { EngineDatabase } from '../../../../test/fakes/engine-database';
import { FakeClock } from '../../../../test/fakes/fake-clock';
import { SimulatedTierStore } from '../../../../test/simulation/simulated-tier-store';
import type { Sender } from '../../accounts/domain/sender';
import { TierBudget } from './tier-budget';

describe('The use of a messaging tier', () => {
  it('reports when there is room again, and does not count an unlimited tier', async () => {
    const database = new EngineDatabase(new FakeClock());
    const budget = new TierBudget(new SimulatedTierStore(database, 86_400_000), database, noKnownNumbers());
    const sender = { portfolioId: 'p', messagingTier: '250' } as Sender;
    const take = (from: number, count: number) =>
      database.run(() => {
        const requests = Array.from({ length: count }, (_, n) => ({
          person: `${from + n}`,
          messageId: `m${from + n}`,
          sender,
        }));
        return budget.takeEach(requests);
      });
    await take(0, 249);
    expect(await budget.useOf(sender)).toEqual({ used: 249, roomAt: null });
    await take(249, 1);
    expect(await budget.useOf(sender)).toEqual({ used: 250, roomAt: expect.any(Date) as Date });
    expect(await budget.useOf({ ...sender, messagingTier: 'Unlimited' })).toBeNull();
  });
});
