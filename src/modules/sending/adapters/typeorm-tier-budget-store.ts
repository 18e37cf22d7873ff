import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { type TierGrant, TierBudgetStore, type TierWish } from '../domain/tier-budget-store.port';

const IN_WINDOW = `at > clock_timestamp() - interval '24 hours'`;

/**
 * Keeps the window in `tier_conversations`, one row for each person, under the lock of the portfolio's own row. That row
 * knows how many people there are at most, so that the window is counted only when it may be full.
 */
@Injectable()
export class TypeOrmTierBudgetStore extends TierBudgetStore {
  constructor(private readonly database: Database) {
    super();
  }

  async take(portfolioId: string, limit: number, wishes: readonly TierWish[], inOrder: boolean): Promise<TierGrant> {
    await this.database.execute('INSERT INTO portfolios (id) VALUES ($1) ON CONFLICT DO NOTHING', [portfolioId]);
    const [portfolio] = await this.database.rows<{ at_most: number }>(
      'SELECT at_most FROM portfolios WHERE id = $1 FOR UPDATE',
      [portfolioId],
    );
    const atMost = portfolio?.at_most ?? 0;
    await this.forget(portfolioId);
    const known = await this.known(portfolioId, wishes);
    const used = atMost + wishes.length <= limit ? atMost : await this.used(portfolioId);
    let free = limit - used;
    const taken = new Map<string, string>();
    const shared: TierWish[] = [];
    let closed = false;
    const granted = wishes.map((wish) => {
      if (closed) return false;
      if (known.has(wish.person) || taken.has(wish.person)) {
        shared.push(wish);
        return true;
      }
      if (free > 0) {
        free--;
        taken.set(wish.person, wish.messageId);
        return true;
      }
      closed = inOrder;
      return false;
    });
    await this.write(portfolioId, taken, shared);
    await this.database.execute('UPDATE portfolios SET at_most = $2 WHERE id = $1 AND at_most <> $2', [
      portfolioId,
      used + taken.size,
    ]);
    return { granted, until: granted.includes(false) ? await this.nextLeaves(portfolioId) : null };
  }

  async giveBack(messageIds: readonly string[]): Promise<void> {
    await this.database.transaction(async () => {
      // A claim that holds the portfolio may be about to rely on these people.
      const portfolios = await this.database.rows(
        `SELECT 1 FROM portfolios WHERE id IN (
           SELECT portfolio_id FROM tier_conversations WHERE message_id = ANY($1::uuid[])) ORDER BY id FOR UPDATE`,
        [messageIds],
      );
      if (portfolios.length === 0) return;
      await this.database.execute('DELETE FROM tier_conversations WHERE message_id = ANY($1::uuid[])', [messageIds]);
    });
  }

  /** Whom nobody needs to remember, a few at each claim. */
  private async forget(portfolioId: string): Promise<void> {
    await this.database.execute(
      `DELETE FROM tier_conversations WHERE portfolio_id = $1 AND person IN (
         SELECT person FROM tier_conversations
         WHERE portfolio_id = $1 AND at < now() - interval '25 hours' LIMIT 500)`,
      [portfolioId],
    );
  }

  private async used(portfolioId: string): Promise<number> {
    const [row] = await this.database.rows<{ used: number }>(
      `SELECT count(*)::int AS used FROM tier_conversations WHERE portfolio_id = $1 AND ${IN_WINDOW}`,
      [portfolioId],
    );
    return row?.used ?? 0;
  }

  private async known(portfolioId: string, wishes: readonly TierWish[]): Promise<Set<string>> {
    const rows = await this.database.rows<{ person: string }>(
      `SELECT person FROM tier_conversations WHERE portfolio_id = $1 AND person = ANY($2::text[]) AND ${IN_WINDOW}`,
      [portfolioId, wishes.map(({ person }) => person)],
    );
    return new Set(rows.map(({ person }) => person));
  }

  private async write(portfolioId: string, taken: Map<string, string>, shared: readonly TierWish[]): Promise<void> {
    if (taken.size > 0) {
      await this.database.execute(
        `INSERT INTO tier_conversations AS held (portfolio_id, person, at, message_id)
         SELECT $1, person, clock_timestamp(), message FROM unnest($2::text[], $3::uuid[]) AS t (person, message)
         ON CONFLICT (portfolio_id, person) DO UPDATE SET at = EXCLUDED.at, message_id = EXCLUDED.message_id
         WHERE held.at <= clock_timestamp() - interval '24 hours'`,
        [portfolioId, [...taken.keys()], [...taken.values()]],
      );
    }
    if (shared.length > 0) {
      // Two messages rely on it now: the refusal of one does not make it free.
      await this.database.execute(
        `UPDATE tier_conversations SET message_id = NULL
         FROM unnest($2::text[], $3::uuid[]) AS t (shared_with, message)
         WHERE portfolio_id = $1 AND person = shared_with AND message_id <> message`,
        [portfolioId, shared.map(({ person }) => person), shared.map(({ messageId }) => messageId)],
      );
    }
  }

  private async nextLeaves(portfolioId: string): Promise<Date | null> {
    const [row] = await this.database.rows<{ until: Date | null }>(
      `SELECT min(at) + interval '24 hours' AS until FROM tier_conversations WHERE portfolio_id = $1 AND ${IN_WINDOW}`,
      [portfolioId],
    );
    return row?.until ?? null;
  }
}
