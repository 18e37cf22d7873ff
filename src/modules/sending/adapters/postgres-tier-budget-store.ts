import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import type { MessagingTier, Sender } from '../../accounts/domain/sender';
import {
  grantRoom,
  type TierGrant,
  TierBudgetStore,
  type TierUse,
  type TierRequest,
} from '../domain/tier-budget-store.port';
import * as sql from './tier-budget.sql';

/**
 * Stores the window in `tier_conversations`, one row per person, under the lock of the portfolio row. That row has an
 * upper bound of the people, so that the window is counted only when it may be full.
 */
@Injectable()
export class PostgresTierBudgetStore extends TierBudgetStore {
  constructor(private readonly database: Database) {
    super();
  }

  async tierOf({ id, messagingTier }: Sender): Promise<MessagingTier> {
    const [row] = await this.database.rows<{ messagingTier: MessagingTier }>(sql.TIER_OF, [id]);
    return row?.messagingTier ?? messagingTier;
  }

  async take(
    portfolioId: string,
    limit: number,
    requests: readonly TierRequest[],
    inOrder: boolean,
  ): Promise<TierGrant> {
    await this.database.execute(sql.ADD_PORTFOLIO, [portfolioId]);
    const [portfolio] = await this.database.rows<{ atMost: number }>(sql.LOCK_PORTFOLIO, [portfolioId]);
    const atMost = portfolio?.atMost ?? 0;
    // Some expired entries at each claim.
    await this.database.execute(sql.FORGET, [portfolioId]);
    const known = await this.known(
      portfolioId,
      requests.map(({ person }) => person),
    );
    const used = atMost + requests.length <= limit ? atMost : await this.used(portfolioId);
    const { granted, taken, shared } = grantRoom(requests, known, limit - used, inOrder);
    await this.write(portfolioId, taken, shared);
    await this.database.execute(sql.SET_AT_MOST, [portfolioId, used + taken.size]);
    return { granted, until: granted.includes(false) ? await this.nextLeaves(portfolioId) : null };
  }

  async use(portfolioId: string): Promise<TierUse> {
    return { people: await this.used(portfolioId), nextLeavesAt: await this.nextLeaves(portfolioId) };
  }

  async known(portfolioId: string, people: readonly string[]): Promise<Set<string>> {
    const rows = await this.database.rows<{ person: string }>(sql.KNOWN, [portfolioId, people]);
    return new Set(rows.map(({ person }) => person));
  }

  async rename(portfolioId: string, phonesByUserId: ReadonlyMap<string, string>): Promise<void> {
    await this.database.transaction(async () => {
      await this.database.rows(sql.LOCK_PORTFOLIO, [portfolioId]);
      await this.database.execute(sql.RENAME, [portfolioId, [...phonesByUserId.keys()], [...phonesByUserId.values()]]);
    });
  }

  async giveBack(messageIds: readonly string[]): Promise<void> {
    await this.database.transaction(async () => {
      // A claim that has locked the portfolio may be about to rely on these people.
      const portfolios = await this.database.rows(sql.LOCK_PORTFOLIOS_OF, [messageIds]);
      if (portfolios.length === 0) return;
      await this.database.execute(sql.GIVE_BACK, [messageIds]);
    });
  }

  private async used(portfolioId: string): Promise<number> {
    const [row] = await this.database.rows<{ used: number }>(sql.USED, [portfolioId]);
    return row?.used ?? 0;
  }

  private async write(portfolioId: string, taken: Map<string, string>, shared: readonly TierRequest[]): Promise<void> {
    if (taken.size > 0) {
      await this.database.execute(sql.TAKE, [portfolioId, [...taken.keys()], [...taken.values()]]);
    }
    if (shared.length > 0) {
      await this.database.execute(sql.SHARE, [
        portfolioId,
        shared.map(({ person }) => person),
        shared.map(({ messageId }) => messageId),
      ]);
    }
  }

  private async nextLeaves(portfolioId: string): Promise<Date | null> {
    const [row] = await this.database.rows<{ until: Date | null }>(sql.NEXT_LEAVES, [portfolioId]);
    return row?.until ?? null;
  }
}
