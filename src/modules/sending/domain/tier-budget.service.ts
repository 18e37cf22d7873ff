import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import type { Sender } from '../../accounts/domain/sender';
import { type TierGrant, TierBudgetStore, type TierWish } from './tier-budget-store.port';

/**
 * The platform's limit on the people that a business may start conversations with in a moving 24 hours, kept before the
 * platform has to refuse: it names no code for it and takes the number's quality down.
 */
@Injectable()
export class TierBudget {
  constructor(
    private readonly store: TierBudgetStore,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * The sender with its present messaging tier, read in the surrounding unit of work: a cached one may be 1 s old, and a claim
   * under the tier before a change would not count its people.
   */
  async current(sender: Sender): Promise<Sender> {
    return { ...sender, messagingTier: await this.store.tierOf(sender) };
  }

  /** Takes room for a batch of a job, in the surrounding unit of work, for a `current` sender: nothing behind the first that has none. */
  takeInOrder(sender: Sender, wishes: readonly TierWish[]): Promise<TierGrant> {
    return this.take(sender, wishes, true);
  }

  /** Takes room for messages that do not depend on each other, in the surrounding unit of work, for a `current` sender. */
  takeEach(sender: Sender, wishes: readonly TierWish[]): Promise<TierGrant> {
    return this.take(sender, wishes, false);
  }

  /**
   * These messages were certainly not accepted: what they took is free again once the surrounding unit of work has
   * committed. Where that fails it stays used until it leaves the window.
   */
  giveBackLater(messageIds: readonly string[]): void {
    if (messageIds.length === 0) return;
    this.unitOfWork.afterCommit(() => void this.store.giveBack(messageIds).catch(() => undefined));
  }

  /**
   * How many people the business has started conversations with in the last 24 hours, and when there is room for another one
   * (null: now). Null where the tier is unlimited: nobody is counted then.
   */
  async useOf({ messagingTier, portfolioId }: Sender): Promise<{ used: number; roomAt: Date | null } | null> {
    if (messagingTier === 'Unlimited') return null;
    const { people, nextLeavesAt } = await this.store.use(portfolioId);
    return { used: people, roomAt: people < Number(messagingTier) ? null : nextLeavesAt };
  }

  /** Those of these people who take no room, as they are in the window; nobody where the tier is unlimited. */
  async knownAmong({ messagingTier, portfolioId }: Sender, people: readonly string[]): Promise<Set<string>> {
    if (messagingTier === 'Unlimited' || people.length === 0) return new Set();
    return this.store.known(portfolioId, people);
  }

  private take(sender: Sender, wishes: readonly TierWish[], inOrder: boolean): Promise<TierGrant> {
    if (sender.messagingTier === 'Unlimited' || wishes.length === 0) {
      return Promise.resolve({ granted: wishes.map(() => true), until: null });
    }
    return this.store.take(sender.portfolioId, Number(sender.messagingTier), wishes, inOrder);
  }
}
