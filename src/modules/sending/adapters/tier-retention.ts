import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import type { RetentionStep, UpkeepPart } from '../../messages/domain/retention';
import { Retention } from '../../messages/domain/retention-rounds';

/** Deletes expired entries of the next portfolio by id: $1 the last one, $2 whether to repeat it, $3 limit. */
const FORGET = `
WITH portfolio AS (SELECT id FROM portfolios WHERE id > $1 OR ($2::boolean AND id = $1) ORDER BY id LIMIT 1),
  old AS (
    SELECT t.ctid FROM tier_conversations t
    WHERE t.portfolio_id = (SELECT id FROM portfolio) AND t.at < now() - interval '25 hours'
    LIMIT $3 FOR UPDATE SKIP LOCKED),
  gone AS (DELETE FROM tier_conversations WHERE ctid = ANY(ARRAY(SELECT ctid FROM old)) RETURNING 1)
SELECT (SELECT count(*)::int FROM gone) AS deleted, (SELECT id FROM portfolio) AS portfolio`;

/** Deletes portfolios without entries that no sender belongs to any more: $1 limit. */
const FORGET_PORTFOLIOS = `
DELETE FROM portfolios WHERE id = ANY(ARRAY(
  SELECT p.id FROM portfolios p
  WHERE NOT EXISTS (
      SELECT FROM senders s JOIN accounts a ON a.id = s.account_id
      WHERE COALESCE(s.business_portfolio_id, a.business_portfolio_id, s.business_account_id) = p.id)
    AND NOT EXISTS (SELECT FROM tier_conversations t WHERE t.portfolio_id = p.id)
  ORDER BY p.id LIMIT $1 FOR UPDATE OF p SKIP LOCKED))`;

const SAME_PORTFOLIO = '=';
const NEXT_PORTFOLIO = '>';

/**
 * Deletes expired tier conversations. Claims do so too, but not for businesses that have stopped sending. Then deletes the portfolios of
 * deleted accounts.
 */
@Injectable()
export class TierRetention implements UpkeepPart, OnApplicationBootstrap {
  readonly kind = 'tier_conversations';

  constructor(
    private readonly retention: Retention,
    private readonly database: Database,
  ) {}

  onApplicationBootstrap(): void {
    this.retention.addUpkeep(this);
  }

  async step(cursor: string | null, limit: number): Promise<RetentionStep> {
    const isRepeat = cursor?.startsWith(SAME_PORTFOLIO) ?? false;
    const [row] = await this.database.rows<{ deleted: number; portfolio: string | null }>(FORGET, [
      cursor?.slice(1) ?? '',
      isRepeat,
      limit,
    ]);
    if (typeof row?.portfolio !== 'string') {
      return { deleted: (await this.database.execute(FORGET_PORTFOLIOS, [limit])).affected, next: null };
    }
    return { deleted: row.deleted, next: (row.deleted === limit ? SAME_PORTFOLIO : NEXT_PORTFOLIO) + row.portfolio };
  }
}
