import type { ProcessDatabase } from './process-database';
import { SimulatedTierStore } from './simulated-tier-store';
import type { PlantedBug, Sabotage } from './world';

const withTier =
  (Tier: new (...args: ConstructorParameters<typeof SimulatedTierStore>) => SimulatedTierStore): Sabotage =>
  (_parts, { link, terms }) => ({ tierStore: new Tier(link as ProcessDatabase, terms.tierWindowMs) });

/** Whoever has no room in the messaging tier is written to all the same. */
class TierIgnored extends SimulatedTierStore {
  override async take(...request: Parameters<SimulatedTierStore['take']>): ReturnType<SimulatedTierStore['take']> {
    const { granted } = await super.take(...request);
    return { granted: granted.map(() => true), until: null };
  }
}

/** The messaging tier is counted without the lock of the portfolio. */
class TierWithoutLock extends SimulatedTierStore {
  protected override lock(): Promise<void> {
    return Promise.resolve();
  }
}

/** Bugs of the messaging tier. */
export const TIER_BUGS: readonly PlantedBug[] = [
  {
    bug: 'the claim ignores the messaging tier',
    sabotage: withTier(TierIgnored),
    breaks: ['nobody is written to without room in the messaging tier'],
  },
  {
    bug: 'the messaging tier is counted without the lock of the portfolio',
    sabotage: withTier(TierWithoutLock),
    breaks: ['the messaging tier is kept', 'nobody is written to without room in the messaging tier'],
  },
];
