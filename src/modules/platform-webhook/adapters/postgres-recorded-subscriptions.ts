import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { DatabaseIdentity } from '../../../infra/database/database-identity';
import { type CheckedSubscription, RecordedSubscriptions } from '../domain/recorded-subscriptions.port';
import type { RecordedSubscription } from '../domain/webhook-subscription';

const RECORD = `
INSERT INTO webhook_subscriptions (business_account_id, callback_url, recorded_at) VALUES ($1, $2, clock_timestamp())
ON CONFLICT (business_account_id) DO UPDATE SET callback_url = EXCLUDED.callback_url, recorded_at = EXCLUDED.recorded_at`;

/** $1 subject, $2 address, $3 lease in ms, $4 age in ms from which on a check is repeated. */
const LEASE = `
INSERT INTO webhook_subscription_checks AS c (subject, callback_url, lease_until)
VALUES ($1, $2, clock_timestamp() + $3 * interval '1 ms')
ON CONFLICT (subject) DO UPDATE SET lease_until = EXCLUDED.lease_until, callback_url = EXCLUDED.callback_url,
  state = CASE WHEN c.callback_url = EXCLUDED.callback_url THEN c.state END
WHERE c.lease_until < clock_timestamp()
  AND (c.callback_url <> EXCLUDED.callback_url OR c.state IS NULL OR c.checked_at <= clock_timestamp() - $4 * interval '1 ms')`;

/** $1 subjects, $2 address. */
const CHECKS = `
SELECT subject, state, extract(epoch FROM clock_timestamp() - checked_at)::float8 * 1000 AS "ageMs" FROM webhook_subscription_checks
WHERE subject = ANY($1::text[]) AND callback_url = $2 AND state IS NOT NULL`;

const CHECKED = `
UPDATE webhook_subscription_checks SET state = COALESCE($2, state), lease_until = '-infinity',
  checked_at = CASE WHEN $2::text IS NULL THEN checked_at ELSE clock_timestamp() END
WHERE subject = $1`;

/** $1 limit. The other subjects are apps. */
const FORGET_UNUSED = `
DELETE FROM webhook_subscriptions WHERE business_account_id = ANY(ARRAY(
  SELECT w.business_account_id FROM webhook_subscriptions w
  WHERE w.business_account_id NOT LIKE 'app %' AND NOT EXISTS (
    SELECT FROM senders s WHERE s.business_account_id = w.business_account_id)
  ORDER BY w.business_account_id LIMIT $1 FOR UPDATE SKIP LOCKED))`;
const FORGET_UNUSED_CHECKS = `
DELETE FROM webhook_subscription_checks WHERE subject = ANY(ARRAY(
  SELECT c.subject FROM webhook_subscription_checks c
  WHERE c.subject NOT LIKE 'app %' AND NOT EXISTS (SELECT FROM senders s WHERE s.business_account_id = c.subject)
  ORDER BY c.subject LIMIT $1 FOR UPDATE SKIP LOCKED))`;

/** Stores subscriptions in the table `webhook_subscriptions`, and the checks of business accounts in `webhook_subscription_checks`. */
@Injectable()
export class PostgresRecordedSubscriptions extends RecordedSubscriptions {
  constructor(
    private readonly database: Database,
    private readonly identity: DatabaseIdentity,
  ) {
    super();
  }

  async find(subject: string): ReturnType<RecordedSubscriptions['find']> {
    const [recorded] = await this.database.rows<RecordedSubscription>(
      `SELECT callback_url AS "callbackUrl", recorded_at AS "recordedAt" FROM webhook_subscriptions
       WHERE business_account_id = $1`,
      [subject],
    );
    return { recorded: recorded ?? null, restoredAt: await this.identity.restoredAt() };
  }

  async record(subject: string, callbackUrl: string): Promise<void> {
    await this.database.execute(RECORD, [subject, callbackUrl]);
  }

  async checks(subjects: readonly string[], callbackUrl: string): Promise<Map<string, CheckedSubscription>> {
    type Row = CheckedSubscription & { subject: string };
    const rows = await this.database.rows<Row>(CHECKS, [subjects, callbackUrl]);
    return new Map(rows.map(({ subject, ...check }) => [subject, check]));
  }

  async lease(...of: Parameters<RecordedSubscriptions['lease']>): Promise<boolean> {
    return (await this.database.execute(LEASE, of)).affected === 1;
  }

  async checked(subject: string, state: CheckedSubscription['state'] | null): Promise<void> {
    await this.database.execute(CHECKED, [subject, state]);
  }

  async forgetUnused(limit: number): Promise<number> {
    const records = await this.database.execute(FORGET_UNUSED, [limit]);
    return records.affected + (await this.database.execute(FORGET_UNUSED_CHECKS, [limit])).affected;
  }
}
