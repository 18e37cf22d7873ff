import type { MessagingTier, Sender } from '../../src/modules/accounts/domain/sender';
import {
  grantRoom,
  TierBudgetStore,
  type TierGrant,
  type TierUse,
  type TierWish,
} from '../../src/modules/sending/domain/tier-budget-store.port';
import type { MemoryDatabase } from './memory-database';

const WINDOW_MS = 86_400_000;

/** The budgets of messaging tiers in memory. */
export class TierInMemory extends TierBudgetStore {
  constructor(private readonly database: MemoryDatabase) {
    super();
  }

  tierOf({ messagingTier }: Sender): Promise<MessagingTier> {
    return Promise.resolve(messagingTier);
  }

  take(portfolioId: string, limit: number, wishes: readonly TierWish[], inOrder: boolean): Promise<TierGrant> {
    return this.database.call('takeTier', (tables) => {
      const now = this.database.now();
      const leftAt = now.getTime() - WINDOW_MS;
      const inWindow = tables.conversations.filter((row) => row.portfolioId === portfolioId && +row.at > leftAt);
      const known = new Set(inWindow.map(({ person }) => person));
      const { granted, taken, shared } = grantRoom(wishes, known, limit - known.size, inOrder);
      const isOver = (row: { portfolioId: string; person: string }): boolean =>
        row.portfolioId === portfolioId && taken.has(row.person);
      const added = [...taken].map(([person, messageId]) => ({ portfolioId, person, at: now, messageId }));
      tables.conversations = [...tables.conversations.filter((row) => !isOver(row)), ...added];
      for (const row of tables.conversations) {
        const isShared = shared.some(({ person, messageId }) => person === row.person && messageId !== row.messageId);
        if (row.portfolioId === portfolioId && isShared) row.messageId = null;
      }
      const oldest = Math.min(...[...inWindow, ...added].map(({ at }) => at.getTime()));
      return { granted, until: granted.includes(false) ? new Date(oldest + WINDOW_MS) : null };
    });
  }

  use(portfolioId: string): Promise<TierUse> {
    return this.database.call('useTier', (tables) => {
      const leftAt = this.database.now().getTime() - WINDOW_MS;
      const times = tables.conversations.flatMap(({ portfolioId: of, at }) => (of === portfolioId ? [+at] : []));
      const inWindow = times.filter((at) => at > leftAt);
      const oldest = Math.min(...inWindow);
      return { people: inWindow.length, nextLeavesAt: inWindow.length > 0 ? new Date(oldest + WINDOW_MS) : null };
    });
  }

  known(portfolioId: string, people: readonly string[]): Promise<Set<string>> {
    return this.database.call('knownInTier', (tables) => {
      const leftAt = this.database.now().getTime() - WINDOW_MS;
      const inWindow = tables.conversations.filter((row) => row.portfolioId === portfolioId && +row.at > leftAt);
      return new Set(inWindow.flatMap(({ person }) => (people.includes(person) ? [person] : [])));
    });
  }

  giveBack(messageIds: readonly string[]): Promise<void> {
    return this.database.call('giveTierBack', (tables) => {
      tables.conversations = tables.conversations.filter(
        ({ messageId }) => messageId === null || !messageIds.includes(messageId),
      );
    });
  }
}
