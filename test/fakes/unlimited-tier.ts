import type { TierGrant, TierWish } from '../../src/modules/sending/domain/tier-budget-store.port';
import { TierBudgetStore } from '../../src/modules/sending/domain/tier-budget-store.port';

/** A messaging tier with room for everybody. */
export class UnlimitedTier extends TierBudgetStore {
  take(_portfolioId: string, _limit: number, wishes: readonly TierWish[]): Promise<TierGrant> {
    return Promise.resolve({ granted: wishes.map(() => true), until: null });
  }

  giveBack(): Promise<void> {
    return Promise.resolve();
  }
}
