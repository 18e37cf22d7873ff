import { TierInMemory } from '../../../../test/fakes/tier-in-memory';
import { MemoryDatabase } from '../../../../test/fakes/memory-database';
import type { Sender } from '../../accounts/domain/sender';
import { TierBudget } from './tier-budget.service';

describe('The use of a messaging tier', () => {
  it('says when there is room again, and counts nobody in an unlimited tier', async () => {
    const database = new MemoryDatabase();
    const budget = new TierBudget(new TierInMemory(database), database);
    const sender = { portfolioId: 'p', messagingTier: '250' } as Sender;
    const take = (from: number, count: number) =>
      database.run(() => {
        const wishes = Array.from({ length: count }, (_, n) => ({ person: `${from + n}`, messageId: `m${from + n}` }));
        return budget.takeEach(sender, wishes);
      });
    await take(0, 249);
    expect(await budget.useOf(sender)).toEqual({ used: 249, roomAt: null });
    await take(249, 1);
    expect(await budget.useOf(sender)).toEqual({ used: 250, roomAt: expect.any(Date) as Date });
    expect(await budget.useOf({ ...sender, messagingTier: 'Unlimited' })).toBeNull();
  });
});
