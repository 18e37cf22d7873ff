import type { Migration } from '../infra/database/migrations';
import { buildIndex } from './concurrent-indexes';

/** Steps of the upgrade from version 0.1, after those in upgrade-from-0.1.ts: what ten thousand accounts need. */
export const MANY_ACCOUNTS_STEPS: readonly Migration[] = [
  {
    name: 'RecipientKeys1790000000096',
    statements: [
      `
CREATE TABLE job_recipient_keys (
  job_id uuid NOT NULL REFERENCES bulk_jobs (id) ON DELETE CASCADE,
  first_position integer NOT NULL,
  last_position integer NOT NULL,
  keys integer[] NOT NULL,
  PRIMARY KEY (job_id, first_position)
) WITH (toast_tuple_target = 8160);
ALTER TABLE job_recipient_keys ALTER COLUMN keys SET STORAGE EXTERNAL;`,
    ],
  },
  {
    name: 'IdempotencyKeysByPerson1790000000097',
    transaction: false,
    statements: buildIndex(
      'idempotency_keys_by_person',
      `idempotency_keys USING gin ((array_remove(ARRAY[NULLIF(COALESCE(answer, answer_body::json) #>> '{body,to}', ''),
  COALESCE(answer, answer_body::json) #>> '{body,phone}', COALESCE(answer, answer_body::json) #>> '{body,userId}',
  CASE WHEN COALESCE(answer, answer_body::json) #>> '{body,platformMessageId}' IS NOT NULL
    THEN COALESCE(answer, answer_body::json) #>> '{body,conversationId}' END], NULL))) WHERE answer_status IS NOT NULL`,
    ),
  },
  {
    name: 'EventsBodyPeople1790000000098',
    statements: [
      `
CREATE FUNCTION webhook_body_people(body text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 10000 AS $$
BEGIN
  RETURN ARRAY(SELECT split_part(rest, '"', 1)
    FROM unnest((string_to_array(body, '"phone":"'))[2:] || (string_to_array(body, '"userId":"'))[2:]) rest);
END $$;`,
    ],
  },
  // Deliveries continue while the indexes of the partitions are built; that of the table adopts them.
  {
    name: 'EventsBodiesByPerson1790000000099',
    transaction: false,
    partitions: {
      of: 'webhook_bodies',
      statements: (partition) => [
        // Left by an interrupted run.
        'DROP INDEX IF EXISTS webhook_bodies_by_person',
        ...buildIndex(`${partition}_webhook_body_people_idx`, `${partition} USING gin (webhook_body_people(body))`),
      ],
    },
    statements: [
      'CREATE INDEX IF NOT EXISTS webhook_bodies_by_person ON webhook_bodies USING gin (webhook_body_people(body))',
    ],
  },
  {
    name: 'SendersByBusinessAccount1790000000100',
    transaction: false,
    statements: buildIndex('senders_by_business_account', 'senders (business_account_id)'),
  },
  {
    name: 'SendersReadings1790000000101',
    transaction: false,
    statements: [
      `
ALTER TABLE senders ADD COLUMN IF NOT EXISTS limits_read_at timestamptz,
  ADD COLUMN IF NOT EXISTS limits_lease_until timestamptz NOT NULL DEFAULT '-infinity',
  ADD COLUMN IF NOT EXISTS platform_quality_rating text, ADD COLUMN IF NOT EXISTS platform_problem jsonb`,
      ...buildIndex('senders_refused', 'senders (id) WHERE platform_problem IS NOT NULL'),
    ],
  },
  {
    name: 'PlatformSubscriptionChecks1790000000102',
    statements: [
      `
CREATE TABLE webhook_subscription_checks (
  subject text PRIMARY KEY,
  callback_url text NOT NULL,
  state text,
  checked_at timestamptz NOT NULL DEFAULT '-infinity',
  lease_until timestamptz NOT NULL
)`,
    ],
  },
  {
    name: 'EventsNextDue1790000000103',
    statements: [
      `ALTER TABLE webhook_endpoints ADD COLUMN next_due_at timestamptz NOT NULL DEFAULT '-infinity'`,
      `
CREATE FUNCTION webhook_endpoints_wake(account uuid, types text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE webhook_endpoints SET next_due_at = '-infinity' WHERE id = ANY(ARRAY(
    SELECT e.id FROM webhook_endpoints e WHERE e.account_id = $1 AND e.status = 'Enabled' AND e.events && $2
      AND e.next_due_at > statement_timestamp() AND e.lease_until < statement_timestamp()
      AND COALESCE(e.blocked_until <= statement_timestamp(), true)
    FOR NO KEY UPDATE SKIP LOCKED));
END $$;

CREATE OR REPLACE FUNCTION webhook_outbox_write(account uuid, types text[], events text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO webhook_outbox (endpoint_id, bodies, payload)
  SELECT e.id, b.bodies, b.payload
  FROM webhook_endpoints e CROSS JOIN LATERAL (
    SELECT count(*) AS bodies, string_agg(u.event, E'\\n' ORDER BY u.n) AS payload
    FROM unnest($2, $3) WITH ORDINALITY AS u (type, event, n) WHERE u.type = ANY (e.events)) b
  WHERE e.account_id = $1 AND e.status = 'Enabled' AND e.max_events = 1 AND b.bodies > 0;

  INSERT INTO webhook_outbox (endpoint_id, bodies, payload)
  SELECT b.id, count(*), string_agg(b.body, E'\\n' ORDER BY b.chunk)
  FROM (
    SELECT c.id, c.chunk, '{"events":[' || string_agg(c.event, ',' ORDER BY c.n) || ']}' AS body
    FROM (
      SELECT e.id, u.n, u.event, (row_number() OVER (PARTITION BY e.id ORDER BY u.n) - 1) / e.max_events AS chunk
      FROM webhook_endpoints e JOIN unnest($2, $3) WITH ORDINALITY AS u (type, event, n) ON u.type = ANY (e.events)
      WHERE e.account_id = $1 AND e.status = 'Enabled' AND e.max_events > 1) c
    GROUP BY c.id, c.chunk) b
  GROUP BY b.id;

  PERFORM webhook_endpoints_wake($1, $2);
END $$;

CREATE OR REPLACE FUNCTION webhook_outbox_add(account uuid, type text, ordered_by uuid, recorded jsonb) RETURNS void LANGUAGE sql AS $$
INSERT INTO webhook_outbox (endpoint_id, order_key, bodies, job_event)
SELECT e.id, $3, 1, $4 || jsonb_build_object('in_list', e.max_events > 1)
FROM webhook_endpoints e WHERE e.account_id = $1 AND e.status = 'Enabled' AND $2 = ANY (e.events);
SELECT webhook_endpoints_wake($1, ARRAY[$2])
$$;`,
    ],
  },
  {
    name: 'EventsDueEndpoints1790000000104',
    transaction: false,
    statements: buildIndex(
      'webhook_endpoints_due',
      `webhook_endpoints (next_due_at) WHERE status = 'Enabled' AND next_due_at < 'infinity'`,
    ),
  },
];
