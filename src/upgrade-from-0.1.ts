import type { Schema } from './infra/database/migrations';

/** Builds an index without blocking writers; an interrupted build leaves an invalid index, which is built again. */
const built = (name: string, definition: string, kind = 'INDEX'): string[] => [
  `DROP INDEX IF EXISTS ${name}`,
  `CREATE ${kind} CONCURRENTLY ${name} ON webhook_outbox ${definition}`,
];

/**
 * What databases of version 0.1 lack of the baseline: each of them has run the migration `from`, and any number of these steps, in the
 * versions between. Up to release 1.0 a change of the baseline adds its step here.
 */
export const UPGRADE_FROM_0_1: Schema['upgrade'] = {
  from: 'DeliveryActivityNeverTried1790000000042',
  steps: [
    // A replay is a position in the log that the workers move; its rows keep their place in the order of their job. Attempts logged
    // before have no order key: they are replayed as events without an order.
    {
      name: 'EventsReplays1790000000053',
      statements: [
        `
ALTER TABLE webhook_outbox ADD COLUMN replay_of bigint;

ALTER TABLE webhook_deliveries ADD COLUMN order_key uuid, ADD COLUMN row_id bigint, ADD COLUMN replayed boolean,
  ADD COLUMN logged_at timestamptz;

CREATE TABLE webhook_replays (
  endpoint_id uuid PRIMARY KEY REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
  since timestamptz NOT NULL,
  started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  per_second integer NOT NULL,
  in_order boolean NOT NULL DEFAULT true,
  first_id uuid NOT NULL,
  after_id uuid NOT NULL,
  last_id uuid,
  walked_from timestamptz,
  stepped_at timestamptz NOT NULL DEFAULT '-infinity',
  replayed integer NOT NULL DEFAULT 0
);`,
      ],
    },
    // Built while events are written.
    {
      name: 'EventsOutboxIndexes1790000000054',
      transaction: false,
      statements: [
        ...built(
          'webhook_outbox_in_order',
          '(endpoint_id, order_key, (COALESCE(replay_of, id))) WHERE order_key IS NOT NULL',
        ),
        ...built('webhook_outbox_unordered', '(endpoint_id, next_at, id) INCLUDE (bodies) WHERE order_key IS NULL'),
        ...built('webhook_outbox_due_replays', '(endpoint_id, next_at) WHERE replay_of IS NOT NULL'),
        ...built(
          'webhook_outbox_replayed',
          '(endpoint_id, key, first_body) WHERE replay_of IS NOT NULL',
          'UNIQUE INDEX',
        ),
        'DROP INDEX IF EXISTS webhook_outbox_ordered',
      ],
    },
    // Contacts and opt-outs get the canonical number of the person. Numbers were stored as they were first given, beside a key; the
    // key of Argentine numbers lacked the 9.
    {
      name: 'GroupsCanonicalNumbers1790000000059',
      statements: [
        `
DO $$
DECLARE
  done uuid := '00000000-0000-0000-0000-000000000000';
  last uuid;
  changed integer;
BEGIN
  LOOP
    SELECT id INTO last FROM (SELECT id FROM contacts WHERE id > done ORDER BY id LIMIT 5000) next ORDER BY id DESC LIMIT 1;
    EXIT WHEN last IS NULL;
    UPDATE contacts c SET phone = canonical, phone_key = canonical
    FROM (SELECT id, regexp_replace(phone_key, '^54([1-3][0-9]{9})$', '549\\1') AS canonical FROM contacts
          WHERE id > done AND id <= last) read
    WHERE c.id = read.id AND (phone <> canonical OR phone_key <> canonical);
    done := last;
  END LOOP;
  LOOP
    UPDATE opt_outs o SET person = canonical, phone = CASE WHEN phone IS NULL THEN NULL ELSE canonical END
    FROM (SELECT account_id, person AS known, scope, regexp_replace(person, '^54([1-3][0-9]{9})$', '549\\1') AS canonical
          FROM opt_outs WHERE person ~ '^54[1-3][0-9]{9}$' OR (phone <> person AND person ~ '^[0-9]+$') LIMIT 5000) read
    WHERE o.account_id = read.account_id AND o.person = read.known AND o.scope = read.scope;
    GET DIAGNOSTICS changed = ROW_COUNT;
    EXIT WHEN changed = 0;
  END LOOP;
END $$;`,
      ],
    },
    {
      name: 'DatabaseSynchronousStandby1790000000064',
      statements: [
        `
ALTER TABLE database_identity ADD COLUMN synchronous boolean NOT NULL DEFAULT false;`,
      ],
    },
    // What was restored earlier continues.
    {
      name: 'DatabaseEventsAfterRestore1790000000065',
      statements: [
        `
ALTER TABLE database_identity ADD COLUMN events_confirmed_at timestamptz;
UPDATE database_identity SET events_confirmed_at = restored_at WHERE restored_at IS NOT NULL;`,
      ],
    },
    {
      name: 'BulkJobsClosedAtRest1790000000066',
      statements: [
        `
CREATE INDEX bulk_jobs_windows_awake ON bulk_jobs (id)
  WHERE send_zone IS NOT NULL AND status IN ('Queued', 'Processing') AND completed_at IS NULL AND NOT at_rest;
CREATE INDEX bulk_jobs_windows_at_rest ON bulk_jobs (LEAST(window_opens_at, valid_until))
  WHERE at_rest AND status IN ('Queued', 'Processing') AND completed_at IS NULL;
DROP INDEX bulk_jobs_windowed;

CREATE TRIGGER bulk_jobs_tell_lane_wait_awake AFTER UPDATE OF at_rest ON bulk_jobs
  FOR EACH ROW WHEN (OLD.at_rest AND NOT NEW.at_rest AND OLD.status IN ('Queued', 'Processing') AND NEW.status = OLD.status
    AND NEW.window_opens_at <= statement_timestamp())
  EXECUTE FUNCTION bulk_jobs_tell_lane_wait();`,
      ],
    },
    {
      name: 'BulkJobsWindowJudge1790000000068',
      statements: [
        `
CREATE FUNCTION send_window_closed(send_from time, send_until time, send_zone text, send_days smallint[], at timestamptz)
RETURNS boolean LANGUAGE sql STABLE AS $$
SELECT NOT (extract(isodow FROM (at AT TIME ZONE send_zone) - send_from::interval) = ANY(send_days)
  AND ((at AT TIME ZONE send_zone) - send_from::interval)::time::interval
    < send_until - send_from + CASE WHEN send_until < send_from THEN interval '1 day' ELSE interval '0' END)
$$;

CREATE FUNCTION send_window_opens_at(send_from time, send_until time, send_zone text, send_days smallint[], at timestamptz)
RETURNS timestamptz LANGUAGE plpgsql STABLE AS $$
DECLARE
  last_at timestamptz := at + interval '15 days';
  past_quarter interval := extract(minute FROM send_from)::int % 15 * interval '1 min';
  quarter timestamptz := date_bin('15 min', at, 'epoch');
  moment timestamptz;
BEGIN
  WHILE quarter < last_at LOOP
    moment := GREATEST(at, quarter);
    IF NOT send_window_closed(send_from, send_until, send_zone, send_days, moment) THEN RETURN moment; END IF;
    moment := GREATEST(at, quarter + past_quarter);
    IF NOT send_window_closed(send_from, send_until, send_zone, send_days, moment) THEN RETURN moment; END IF;
    quarter := quarter + interval '15 min';
  END LOOP;
  RETURN last_at;
END $$;`,
      ],
    },
    {
      name: 'DeliveryActivityLateChanges1790000000069',
      statements: [
        `
CREATE OR REPLACE FUNCTION job_pace_due() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  never_tried integer := CASE WHEN OLD.completed_at IS NULL AND NEW.completed_at IS NOT NULL AND NEW.status IN ('Cancelled', 'Failed')
    THEN NEW.failed - OLD.failed ELSE 0 END;
BEGIN
  UPDATE job_pace SET due = true, failed = failed + never_tried WHERE job_id = NEW.id;
  RETURN NULL;
END $$;`,
      ],
    },
    // Unknown of earlier jobs: the default is set apart, so that they are not rewritten.
    {
      name: 'BulkJobsChangedAt1790000000070',
      statements: [
        `
ALTER TABLE bulk_jobs ADD COLUMN changed_at timestamptz;
ALTER TABLE bulk_jobs ALTER COLUMN changed_at SET DEFAULT clock_timestamp();
CREATE INDEX bulk_jobs_changed ON bulk_jobs (account_id, changed_at) WHERE changed_at IS NOT NULL;

CREATE FUNCTION bulk_jobs_set_changed_at() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.changed_at := clock_timestamp();
  RETURN NEW;
END $$;
CREATE TRIGGER bulk_jobs_set_changed_at
  BEFORE UPDATE OF status, at_rest, started_at, completed_at, successfully_sent, failed, total_recipients ON bulk_jobs
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status OR OLD.completed_at IS DISTINCT FROM NEW.completed_at
    OR (NEW.at_rest AND NOT OLD.at_rest)
    OR ((OLD.at_rest OR OLD.completed_at IS NOT NULL)
      AND (OLD.successfully_sent, OLD.failed, OLD.total_recipients, OLD.started_at)
        IS DISTINCT FROM (NEW.successfully_sent, NEW.failed, NEW.total_recipients, NEW.started_at)))
  EXECUTE FUNCTION bulk_jobs_set_changed_at();`,
      ],
    },
    {
      name: 'BulkJobsActingKeys1790000000077',
      statements: [
        `ALTER TABLE bulk_jobs ADD COLUMN created_by uuid, ADD COLUMN paused_by uuid, ADD COLUMN cancelled_by uuid`,
      ],
    },
    { name: 'SendingActingKeys1790000000078', statements: [`ALTER TABLE single_sends ADD COLUMN created_by uuid`] },
    {
      name: 'BulkJobsRetrySelection1790000000071',
      statements: [
        `
ALTER TABLE bulk_jobs ADD COLUMN retry_scope text, ADD COLUMN retry_codes text[];
CREATE INDEX bulk_jobs_retries ON bulk_jobs (retry_of, created_at) WHERE retry_of IS NOT NULL;`,
      ],
    },
  ],
};
