import type { ProcessDatabase } from './process-database';
import { SimulatedTierStore } from './simulated-tier-store';
import type { PlantedBug, Sabotage } from './world';

const withTier =
  (Tier: new (...args: ConstructorParameters<typeof SimulatedTierStore>) => SimulatedTierStore): Sabotage =>
  (_parts, { link, terms }) => ({ tierStore: new Tier(link as ProcessDatabase, terms.tierWindowMs) });

/** Sends to people beyond the limit of the messaging tier. */
class TierIgnored extends SimulatedTierStore {
  override async take(...request: Parameters<SimulatedTierStore['take']>): ReturnType<SimulatedTierStore['take']> {
    const { granted } = await super.take(...request);
    return { granted: granted.map(() => true), until: null };
  }
}

/** Counts the messaging tier without locking the portfolio. */
class TierWithoutLock extends SimulatedTierStore {
  protected override lock(): Promise<void> {
    return Promise.resolve();
  }
}

/** Planted bugs of the messaging tier. */
export const TIER_BUGS: readonly PlantedBug[] = [
  {
    bug: 'the claim ignores the messaging tier',
    sabotage: withTier(TierIgnored),
    breaks: ['nothing is sent beyond the messaging tier'],
  },
  {
    bug: 'the messaging tier is counted without locking the portfolio',
    sabotage: withTier(TierWithoutLock),
    breaks: ['the messaging tier is respected', 'nothing is sent beyond the messaging tier'],
  },
];
