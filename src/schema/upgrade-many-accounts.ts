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
];
