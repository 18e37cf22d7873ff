import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import type { TrafficMark } from '../domain/traffic-marks';
import { type SenderTrafficState, TrafficStore } from '../domain/traffic-store.port';

const LAST_WEBHOOK = 'GREATEST(t.last_webhook_at, EXCLUDED.last_webhook_at)';

/**
 * Messages and status webhooks may be handled by different processes. `unreported_since` is the first known acceptance after the
 * latest webhook.
 */
const ADD = `
INSERT INTO sender_traffic AS t (sender_id, last_accepted_at, last_webhook_at, unreported_since)
SELECT m.sender_id, m.accepted_at, m.webhook_at, m.unreported_since
FROM unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[], $4::timestamptz[])
  AS m (sender_id, accepted_at, webhook_at, unreported_since)
JOIN senders s ON s.id = m.sender_id
ORDER BY m.sender_id
ON CONFLICT (sender_id) DO UPDATE SET
  last_accepted_at = GREATEST(t.last_accepted_at, EXCLUDED.last_accepted_at),
  last_webhook_at = ${LAST_WEBHOOK},
  unreported_since = (SELECT min(at)
    FROM (VALUES (t.unreported_since), (EXCLUDED.unreported_since), (EXCLUDED.last_accepted_at)) AS accepted (at)
    WHERE ${LAST_WEBHOOK} IS NULL OR at > ${LAST_WEBHOOK})`;

const RECENT = `
SELECT t.sender_id AS "senderId", s.phone_number_id AS "phoneNumberId", t.last_accepted_at AS "lastAcceptedAt",
  t.last_webhook_at AS "lastWebhookAt", t.unreported_since AS "unreportedSince"
FROM sender_traffic t JOIN senders s ON s.id = t.sender_id
WHERE t.last_accepted_at >= $1 OR t.unreported_since IS NOT NULL ORDER BY t.sender_id`;

/** Stores traffic marks in the table `sender_traffic`. */
@Injectable()
export class PostgresTrafficStore extends TrafficStore {
  constructor(private readonly database: Database) {
    super();
  }

  async add(marks: readonly TrafficMark[]): Promise<void> {
    await this.database.execute(ADD, [
      marks.map(({ senderId }) => senderId),
      marks.map(({ lastAcceptedAt }) => lastAcceptedAt),
      marks.map(({ lastWebhookAt }) => lastWebhookAt),
      marks.map(({ unreportedSince }) => unreportedSince),
    ]);
  }

  recent(since: Date): Promise<SenderTrafficState[]> {
    return this.database.rows<SenderTrafficState>(RECENT, [since]);
  }
}
