import type { MessagingTier, Sender } from '../../src/modules/accounts/domain/sender';
import {
  grantRoom,
  TierBudgetStore,
  type TierGrant,
  type TierRequest,
  type TierUse,
} from '../../src/modules/sending/domain/tier-budget-store.port';
import type { Transaction } from './table';
import type { Conversation } from './history-database';
import type { ProcessDatabase } from './process-database';

/** The budgets of messaging tiers, statement by statement like the SQL of the real store, with a shorter window. */
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

  async take(
    portfolioId: string,
    limit: number,
    requests: readonly TierRequest[],
    inOrder: boolean,
  ): Promise<TierGrant> {
    await this.database.statement('LOCK_PORTFOLIO', (transaction) => this.lock(transaction, portfolioId));
    return this.database.statement('TAKE_TIER', (transaction) => {
      const { conversations, scheduler } = this.database.server;
      const at = scheduler.now;
      const inWindow = this.inWindow(transaction, portfolioId);
      const { granted, taken, shared } = grantRoom(requests, new Set(inWindow.keys()), limit - inWindow.size, inOrder);
      for (const [person, messageId] of taken) inWindow.set(person, { portfolioId, person, at, messageId });
      for (const { person, messageId } of shared) {
        const one = inWindow.get(person)!;
        if (one.messageId !== messageId) inWindow.set(person, { ...one, messageId: null });
      }
      for (const person of [...taken.keys(), ...shared.map((request) => request.person)]) {
        transaction.writes.set(conversations.row(`${portfolioId} ${person}`), inWindow.get(person)!);
      }
      return { granted, until: granted.includes(false) ? this.nextLeaves(inWindow) : null };
    });
  }

  use(portfolioId: string): Promise<TierUse> {
    return this.database.statement('TIER_USED', (transaction) => {
      const inWindow = this.inWindow(transaction, portfolioId);
      return { people: inWindow.size, nextLeavesAt: this.nextLeaves(inWindow) };
    });
  }

  known(portfolioId: string, people: readonly string[]): Promise<Set<string>> {
    return this.database.statement('TIER_KNOWN', (transaction) => {
      const inWindow = this.inWindow(transaction, portfolioId);
      return new Set(people.filter((person) => inWindow.has(person)));
    });
  }

  rename(portfolioId: string, phonesByUserId: ReadonlyMap<string, string>): Promise<void> {
    const { conversations } = this.database.server;
    return this.database.run(async () => {
      await this.database.statement('LOCK_PORTFOLIO', (transaction) => this.lock(transaction, portfolioId));
      await this.database.statement('RENAME_IN_TIER', (transaction) => {
        for (const [userId, person] of phonesByUserId) {
          const row = conversations.row(`${portfolioId} ${userId}`);
          const one = row.seenBy(transaction);
          if (!one || one.at === -Infinity) continue;
          const known = conversations.row(`${portfolioId} ${person}`);
          const other = known.seenBy(transaction);
          const messageId = other && other.at > -Infinity ? null : one.messageId;
          transaction.writes.set(known, { ...one, person, at: Math.max(one.at, other?.at ?? -Infinity), messageId });
          transaction.writes.set(row, { ...one, at: -Infinity });
        }
      });
    });
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

  private inWindow(transaction: Transaction, portfolioId: string): Map<string, Conversation> {
    const { conversations, scheduler } = this.database.server;
    const after = scheduler.now - this.windowMs;
    const found = new Map<string, Conversation>();
    for (const one of conversations.seenBy(transaction)) {
      if (one.portfolioId === portfolioId && one.at > after) found.set(one.person, one);
    }
    return found;
  }

  private nextLeaves(inWindow: ReadonlyMap<string, Conversation>): Date | null {
    if (inWindow.size === 0) return null;
    const oldest = Math.min(...[...inWindow.values()].map(({ at }) => at));
    return this.database.server.scheduler.dateAt(oldest + this.windowMs);
  }

  protected async lock(transaction: Transaction, portfolioId: string): Promise<void> {
    const { server } = this.database;
    const wait = server.lock(transaction, server.portfolios.row(portfolioId));
    if (wait) await wait;
  }
}
