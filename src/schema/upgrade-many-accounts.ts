import type { Migration } from '../infra/database/migrations';
import { buildIndex, dropIndex } from '../infra/database/concurrent-indexes';

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
  {
    name: 'AuditKeyNames1790000000105',
    statements: ['ALTER TABLE audit_log ADD COLUMN key_name text'],
  },
  {
    name: 'DatabaseSearchKeys1790000000106',
    statements: [
      `
CREATE FUNCTION search_keys(account uuid, given text) RETURNS integer[] LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 10000 AS $$
DECLARE
  folded text := lower(translate(given, U&'\\0130\\212A', 'ik') COLLATE "C");
  part text;
  keys integer[] := '{}';
BEGIN
  FOR n IN 1 .. length(folded) - 2 LOOP
    part := substr(folded, n, 3);
    IF octet_length(part) = 3 THEN
      keys := keys || hashtext(account || part);
    END IF;
  END LOOP;
  RETURN keys;
END $$;`,
    ],
  },
  {
    name: 'ListIndexes1790000000107',
    transaction: false,
    statements: [
      ...buildIndex('bulk_jobs_listed', 'bulk_jobs (account_id, created_at DESC, id DESC) INCLUDE (status, kind)'),
      ...buildIndex(
        'bulk_jobs_by_reference',
        `bulk_jobs (account_id, reference, created_at DESC, id DESC) INCLUDE (status, kind) WHERE reference IS NOT NULL`,
      ),
      ...buildIndex('bulk_jobs_by_name', 'bulk_jobs USING gin (search_keys(account_id, name)) WHERE name IS NOT NULL'),
      ...buildIndex(
        'contacts_by_search_keys',
        `contacts USING gin (search_keys(account_id, COALESCE(name, '') || ' ' || COALESCE(username, '')))`,
      ),
      dropIndex('bulk_jobs_by_account'),
    ],
  },
  {
    name: 'DeliveryForgottenPace1790000000108',
    statements: [
      `
CREATE FUNCTION job_pace_forget() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM job_pace WHERE job_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER job_pace_forget AFTER UPDATE OF recipients_cleared ON bulk_jobs
  FOR EACH ROW WHEN (NEW.recipients_cleared AND NOT OLD.recipients_cleared) EXECUTE FUNCTION job_pace_forget();`,
    ],
  },
  // What later versions delete together with the recipients of a job.
  {
    name: 'BulkJobsForgottenFiles1790000000109',
    transaction: false,
    statements: [
      `
DO $$
DECLARE
  after uuid := '00000000-0000-0000-0000-000000000000';
  ids uuid[];
BEGIN
  LOOP
    ids := ARRAY(SELECT id FROM bulk_jobs WHERE id > after AND recipients_cleared ORDER BY id LIMIT 1000);
    EXIT WHEN cardinality(ids) = 0;
    after := ids[cardinality(ids)];
    UPDATE bulk_jobs SET file_name = NULL, upload_hash = NULL, header_media = NULL, report_columns = NULL
    WHERE id = ANY(ids) AND num_nonnulls(file_name, upload_hash, header_media, report_columns) > 0;
    DELETE FROM job_pace WHERE job_id = ANY(ids);
    COMMIT;
  END LOOP;
END $$`,
    ],
  },
  {
    name: 'GrowingTables1790000000110',
    transaction: false,
    statements: [
      `ALTER TABLE job_recipients SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01,
         autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)`,
      `ALTER TABLE conversations SET (autovacuum_vacuum_scale_factor = 0.05)`,
    ],
  },
  {
    name: 'AccountsSenderPortfolios1790000000111',
    statements: ['ALTER TABLE senders ADD COLUMN business_portfolio_id text'],
  },
  {
    name: 'BulkJobsLong1790000000112',
    transaction: false,
    statements: buildIndex(
      'bulk_jobs_long',
      `bulk_jobs (account_id, COALESCE(completed_at, 'infinity')) INCLUDE (created_at)
       WHERE completed_at IS NULL OR completed_at - created_at > interval '1 day'`,
    ),
  },
  {
    name: 'ChatHistoryInbox1790000000120',
    statements: [
      'ALTER TABLE conversations ADD COLUMN last_inbound_id uuid, ADD COLUMN state text',
      `
CREATE TABLE quick_replies (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  name text NOT NULL,
  text text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
)`,
      'CREATE UNIQUE INDEX quick_replies_by_name ON quick_replies (account_id, lower(name))',
    ],
  },
  // What is unread is still to do.
  {
    name: 'ChatHistoryStates1790000000121',
    transaction: false,
    statements: [
      `
DO $$
DECLARE
  after uuid := '00000000-0000-0000-0000-000000000000';
  ids uuid[];
BEGIN
  LOOP
    ids := ARRAY(SELECT id FROM conversations WHERE id > after ORDER BY id LIMIT 5000);
    EXIT WHEN cardinality(ids) = 0;
    after := ids[cardinality(ids)];
    UPDATE conversations SET state = CASE WHEN unread_count > 0 THEN 'Open' ELSE 'Done' END
    WHERE id = ANY(ids) AND state IS NULL AND window_expires_at IS NOT NULL;
    COMMIT;
  END LOOP;
END $$`,
      ...buildIndex(
        'conversations_by_state',
        'conversations (account_id, state, last_message_at DESC, id DESC) WHERE state IS NOT NULL',
      ),
    ],
  },
];
