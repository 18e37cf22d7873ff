import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import type { Sender } from '../../accounts/domain/sender';
import { KnownNumbers } from '../../groups/domain/known-numbers';
import { type TierGrant, TierBudgetStore, type TierRequest } from './tier-budget-store.port';

/**
 * Enforces the platform's limit on the people with whom a business may start conversations in a moving 24 hours, before
 * the platform refuses: it documents no error code and lowers the number's quality.
 */
@Injectable()
export class TierBudget {
  constructor(
    private readonly store: TierBudgetStore,
    private readonly unitOfWork: UnitOfWork,
    private readonly numbers: KnownNumbers,
  ) {}

  /**
   * Takes room for a batch of a job and stops at the first refusal. Joins the surrounding unit of work, in which the tier of the sender
   * must have been read: a cached tier may be 1 s old, and a claim under an outdated unlimited tier would not be counted.
   */
  takeInOrder(sender: Sender, requests: readonly TierRequest[]): Promise<TierGrant> {
    return this.take(sender, requests, true);
  }

  /**
   * Takes room for independent messages of any senders, under their current tiers. Returns the ids of those without room, with the time
   * when the next person leaves the window. Joins the surrounding unit of work.
   */
  async takeEach(requests: readonly (TierRequest & { sender: Sender })[]): Promise<Map<string, Date>> {
    const refused = new Map<string, Date>();
    const cached = [...new Map(requests.map(({ sender }) => [sender.id, sender])).values()];
    const tiers = await Promise.all(cached.map((sender) => this.store.tierOf(sender)));
    const senders = cached.map((sender, index) => ({ ...sender, messagingTier: tiers[index]! }));
    // Portfolios stay locked until the transaction ends, so every process locks them in the same order.
    for (const sender of senders.sort((a, b) => (a.portfolioId < b.portfolioId ? -1 : 1))) {
      const own = requests.filter((request) => request.sender.id === sender.id);
      const { granted, until } = await this.take(sender, own, false);
      own.forEach(({ messageId }, index) => {
        if (!granted[index] && until) refused.set(messageId, until);
      });
    }
    return refused;
  }

  /**
   * Frees the room of messages that were certainly not accepted, after the surrounding unit of work has committed. If
   * that fails, the room stays used until it leaves the window.
   */
  giveBackLater(messageIds: readonly string[]): void {
    if (messageIds.length === 0) return;
    this.unitOfWork.afterCommit(() => void this.store.giveBack(messageIds).catch(() => undefined));
  }

  /**
   * How many people the business has started conversations with in the last 24 hours, and when there is room for
   * another (null: now). Null for an unlimited tier, which is not counted.
   */
  async useOf({ messagingTier, portfolioId }: Sender): Promise<{ used: number; roomAt: Date | null } | null> {
    if (messagingTier === 'Unlimited') return null;
    const { people, nextLeavesAt } = await this.store.use(portfolioId);
    return { used: people, roomAt: people < Number(messagingTier) ? null : nextLeavesAt };
  }

  /** Those of these people already counted in the window; empty for an unlimited tier. */
  async knownAmong({ messagingTier, portfolioId, accountId }: Sender, people: readonly string[]): Promise<Set<string>> {
    if (messagingTier === 'Unlimited' || people.length === 0) return new Set();
    const phones = await this.numbers.of(accountId, people);
    const known = await this.store.known(
      portfolioId,
      people.map((person) => phones.get(person) ?? person),
    );
    return new Set(people.filter((person) => known.has(phones.get(person) ?? person)));
  }

  /** Counts each of these people once: what is counted under a user id moves to the number, if it is known by now. */
  async mergeIdentities({ messagingTier, portfolioId, accountId }: Sender, userIds: readonly string[]): Promise<void> {
    if (messagingTier === 'Unlimited' || userIds.length === 0) return;
    const counted = await this.store.known(portfolioId, userIds);
    const phones = await this.numbers.of(accountId, [...counted]);
    if (phones.size > 0) await this.store.rename(portfolioId, phones);
  }

  private async take(sender: Sender, requests: readonly TierRequest[], inOrder: boolean): Promise<TierGrant> {
    if (sender.messagingTier === 'Unlimited' || requests.length === 0) {
      return { granted: requests.map(() => true), until: null };
    }
    const people = requests.map(({ person }) => person);
    const phones = await this.numbers.of(sender.accountId, people);
    const byPhone = requests.map(({ person, messageId }) => ({ person: phones.get(person) ?? person, messageId }));
    return this.store.take(sender.portfolioId, Number(sender.messagingTier), byPhone, inOrder);
  }
}
