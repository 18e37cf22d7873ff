import type { MessagingTier, Sender } from '../../src/modules/accounts/domain/sender';
import {
  grantRoom,
  TierBudgetStore,
  type TierGrant,
  type TierWish,
} from '../../src/modules/sending/domain/tier-budget-store.port';
import type { Transaction } from './database-server';
import type { Conversation } from './history-database';
import type { ProcessDatabase } from './process-database';

/** The budgets of messaging tiers statement by statement as the SQL of the real store, with a shorter window. */
export class SimulatedTierStore extends TierBudgetStore {
  constructor(
    protected readonly database: ProcessDatabase,
    private readonly windowMs: number,
  ) {
    super();
  }

  tierOf({ messagingTier }: Sender): Promise<MessagingTier> {
    return Promise.resolve(messagingTier);
  }

  async take(portfolioId: string, limit: number, wishes: readonly TierWish[], inOrder: boolean): Promise<TierGrant> {
    await this.database.statement('LOCK_PORTFOLIO', (transaction) => this.lock(transaction, portfolioId));
    return this.database.statement('TAKE_TIER', (transaction) => {
      const { conversations, scheduler } = this.database.server;
      const at = scheduler.now;
      const isInWindow = (one: Conversation): boolean => one.portfolioId === portfolioId && one.at > at - this.windowMs;
      const rows = [...conversations.rows.values()].flatMap((row) => row.seenBy(transaction) ?? []);
      const inWindow = new Map(rows.filter(isInWindow).map((one) => [one.person, one]));
      const { granted, taken, shared } = grantRoom(wishes, new Set(inWindow.keys()), limit - inWindow.size, inOrder);
      for (const [person, messageId] of taken) inWindow.set(person, { portfolioId, person, at, messageId });
      for (const { person, messageId } of shared) {
        const one = inWindow.get(person)!;
        if (one.messageId !== messageId) inWindow.set(person, { ...one, messageId: null });
      }
      for (const person of [...taken.keys(), ...shared.map((wish) => wish.person)]) {
        transaction.writes.set(conversations.row(`${portfolioId} ${person}`), inWindow.get(person)!);
      }
      const oldest = Math.min(...[...inWindow.values()].map((one) => one.at));
      return {
        granted,
        until: granted.includes(false) ? this.database.server.scheduler.dateAt(oldest + this.windowMs) : null,
      };
    });
  }

  use(): never {
    throw new Error('Nothing in a history asks for the use of a tier.');
  }

  known(): never {
    throw new Error('Nothing in a history asks who is in the window of a tier.');
  }

  giveBack(messageIds: readonly string[]): Promise<void> {
    const { server } = this.database;
    const isGiven = ({ messageId }: Conversation): boolean => messageId !== null && messageIds.includes(messageId);
    return this.database.run(async () => {
      await this.database.statement('LOCK_PORTFOLIOS', async (transaction) => {
        const ids = new Set([...server.conversations.committed()].filter(isGiven).map((one) => one.portfolioId));
        for (const id of [...ids].sort()) await this.lock(transaction, id);
      });
      await this.database.statement('GIVE_TIER_BACK', (transaction) =>
        server.update(transaction, server.conversations.rows.values(), isGiven, () => ({ at: -Infinity })),
      );
    });
  }

  protected async lock(transaction: Transaction, portfolioId: string): Promise<void> {
    const { server } = this.database;
    const wait = server.lock(transaction, server.portfolios.row(portfolioId));
    if (wait) await wait;
  }
}
