import type { Schema } from '../infra/database/migrations';
import { CHANGE_DELIVERY_LOG } from '../modules/events/adapters/schema/change-delivery-log.sql';
import { CHANGE_MESSAGE_PARTITION } from '../modules/messages/adapters/schema/change-message-partition.sql';
import { buildIndex, dropIndex } from '../infra/database/concurrent-indexes';
import { MANY_ACCOUNTS_STEPS } from './upgrade-many-accounts';
import { SEVERAL_SENDERS_STEPS } from './upgrade-several-senders';

/**
 * Upgrades databases of version 0.1 to the baseline: each has run the migration `from` and, in versions since, any number of these
 * steps. Frozen since release 1.0: later changes are migrations.
 */
export const UPGRADE_FROM_0_1: Schema['upgrade'] = {
  from: 'DeliveryActivityNeverTried1790000000042',
  steps: [
    // A replay is a position in the log that the workers advance; its rows keep their order within their job. Earlier attempts have no
    // order key and are replayed as unordered events.
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
        ...buildIndex(
          'webhook_outbox_in_order',
          'webhook_outbox (endpoint_id, order_key, (COALESCE(replay_of, id))) WHERE order_key IS NOT NULL',
        ),
        ...buildIndex(
          'webhook_outbox_unordered',
          'webhook_outbox (endpoint_id, next_at, id) INCLUDE (bodies) WHERE order_key IS NULL',
        ),
        ...buildIndex(
          'webhook_outbox_due_replays',
          'webhook_outbox (endpoint_id, next_at) WHERE replay_of IS NOT NULL',
        ),
        ...buildIndex(
          'webhook_outbox_replayed',
          'webhook_outbox (endpoint_id, key, first_body) WHERE replay_of IS NOT NULL',
          'UNIQUE INDEX',
        ),
        dropIndex('webhook_outbox_ordered'),
      ],
    },
    // Contacts and opt-outs get the person's canonical number. Numbers were stored in their original form, with a separate key; the
    // key of Argentine numbers lacked the 9.
    {
      name: 'GroupsCanonicalNumbers1790000000059',
      transaction: false,
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
    COMMIT;
    done := last;
  END LOOP;
  LOOP
    UPDATE opt_outs o SET person = canonical, phone = CASE WHEN phone IS NULL THEN NULL ELSE canonical END
    FROM (SELECT account_id, person AS known, scope, regexp_replace(person, '^54([1-3][0-9]{9})$', '549\\1') AS canonical
          FROM opt_outs WHERE person ~ '^54[1-3][0-9]{9}$' OR (phone <> person AND person ~ '^[0-9]+$') LIMIT 5000) read
    WHERE o.account_id = read.account_id AND o.person = read.known AND o.scope = read.scope;
    GET DIAGNOSTICS changed = ROW_COUNT;
    EXIT WHEN changed = 0;
    COMMIT;
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
    // Databases restored earlier keep delivering.
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
      transaction: false,
      statements: [
        ...buildIndex(
          'bulk_jobs_windows_awake',
          `bulk_jobs (id)
  WHERE send_zone IS NOT NULL AND status IN ('Queued', 'Processing') AND completed_at IS NULL AND NOT at_rest`,
        ),
        ...buildIndex(
          'bulk_jobs_windows_at_rest',
          `bulk_jobs (LEAST(window_opens_at, valid_until))
  WHERE at_rest AND status IN ('Queued', 'Processing') AND completed_at IS NULL`,
        ),
        dropIndex('bulk_jobs_windowed'),
        `
CREATE OR REPLACE TRIGGER bulk_jobs_tell_lane_wait_awake AFTER UPDATE OF at_rest ON bulk_jobs
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
    // Unknown for earlier jobs: the default is set in a separate statement, so that their rows are not rewritten.
    {
      name: 'BulkJobsChangedAt1790000000070',
      transaction: false,
      statements: [
        `
ALTER TABLE bulk_jobs ADD COLUMN IF NOT EXISTS changed_at timestamptz;
ALTER TABLE bulk_jobs ALTER COLUMN changed_at SET DEFAULT clock_timestamp();`,
        ...buildIndex('bulk_jobs_changed', 'bulk_jobs (account_id, changed_at) WHERE changed_at IS NOT NULL'),
        `
CREATE OR REPLACE FUNCTION bulk_jobs_set_changed_at() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.changed_at := clock_timestamp();
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER bulk_jobs_set_changed_at
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
      transaction: false,
      statements: [
        `ALTER TABLE bulk_jobs ADD COLUMN IF NOT EXISTS retry_scope text, ADD COLUMN IF NOT EXISTS retry_codes text[]`,
        ...buildIndex('bulk_jobs_retries', 'bulk_jobs (retry_of, created_at) WHERE retry_of IS NOT NULL'),
      ],
    },
    {
      name: 'EventsBacklogLimit1790000000079',
      statements: [`ALTER TABLE webhook_endpoints ADD COLUMN counted_after bigint NOT NULL DEFAULT 0`],
    },
    {
      name: 'TemplatesEveryKind1790000000080',
      transaction: false,
      statements: [
        `ALTER TABLE templates ADD COLUMN IF NOT EXISTS source text NOT NULL DEFAULT 'Authored'`,
        // The next sync reads offers and cards of templates that could not be sent before.
        `
DO $$
BEGIN
  LOOP
    UPDATE template_revisions SET components = components - 'beyondValues'
      || jsonb_build_object('offer', NULL, 'cards', '[]'::jsonb, 'unsupported', components->'beyondValues')
    WHERE id = ANY(ARRAY(SELECT id FROM template_revisions WHERE components ? 'beyondValues' LIMIT 1000));
    EXIT WHEN NOT FOUND;
    COMMIT;
  END LOOP;
END $$;`,
      ],
    },
    {
      name: 'RecipientsOwnExtras1790000000081',
      statements: [`ALTER TABLE job_recipients ADD COLUMN extras jsonb, ADD COLUMN reference text`],
    },
    {
      name: 'GroupsOptOutsByUserId1790000000085',
      transaction: false,
      statements: buildIndex('opt_outs_by_user_id', 'opt_outs (account_id, user_id) WHERE user_id IS NOT NULL'),
    },
    {
      name: 'RecipientsByUserId1790000000086',
      statements: [`ALTER TABLE job_recipients ADD COLUMN user_id text`],
    },
    {
      name: 'ContactsAttributes1790000000082',
      statements: [`ALTER TABLE contacts ADD COLUMN attributes jsonb NOT NULL DEFAULT '{}'`],
    },
    { name: 'BulkJobsAudience1790000000083', statements: [`ALTER TABLE bulk_jobs ADD COLUMN audience jsonb`] },
    { name: 'BulkJobsName1790000000090', statements: [`ALTER TABLE bulk_jobs ADD COLUMN name text`] },
    // Triggers record the columns of a job instead of the body of its event. A process of the previous version leaves such rows to others.
    // Locks the tables in the order of the statements that change them.
    {
      name: 'JobEventsAsRecorded1790000000091',
      statements: [
        `
DROP TRIGGER sender_lanes_tell_wait ON sender_lanes;
DROP TRIGGER bulk_jobs_tell_lane_wait ON bulk_jobs;
DROP TRIGGER bulk_jobs_tell_lane_wait_awake ON bulk_jobs;
DROP TRIGGER bulk_jobs_tell_window ON bulk_jobs;
DROP TRIGGER bulk_jobs_tell_changes ON bulk_jobs;
DROP FUNCTION sender_lanes_tell_wait(), bulk_jobs_tell_lane_wait(), bulk_jobs_tell_window(), bulk_jobs_tell_changes(),
  bulk_jobs_tell(bulk_jobs, text, json), job_event_reason(text, text, timestamptz), webhook_outbox_add(uuid, text, uuid, json);
ALTER TABLE webhook_outbox ADD COLUMN job_event jsonb, ALTER COLUMN payload DROP NOT NULL;

CREATE FUNCTION webhook_outbox_add(account uuid, type text, ordered_by uuid, recorded jsonb) RETURNS void LANGUAGE sql AS $$
INSERT INTO webhook_outbox (endpoint_id, order_key, bodies, job_event)
SELECT e.id, $3, 1, $4 || jsonb_build_object('in_list', e.max_events > 1)
FROM webhook_endpoints e WHERE e.account_id = $1 AND e.status = 'Enabled' AND $2 = ANY (e.events)
$$;

CREATE FUNCTION job_event_add(job bulk_jobs, type text, waits_for text DEFAULT NULL, waits_until timestamptz DEFAULT NULL)
RETURNS void LANGUAGE sql AS $$
SELECT webhook_outbox_add($1.account_id, $2, $1.id, jsonb_build_object('type', $2, 'waits_for', $3, 'waits_until', $4,
  'job', to_jsonb($1) - '{header_media,audience,report_columns,upload_hash,retry_codes}'::text[]))
$$;

CREATE FUNCTION bulk_jobs_add_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.started_at IS NULL AND NEW.started_at IS NOT NULL AND NEW.status = 'Processing' THEN
    PERFORM job_event_add(NEW, 'job.started');
  END IF;
  IF NEW.throttled_reason IS NOT NULL AND NEW.throttled_reason IS DISTINCT FROM OLD.throttled_reason THEN
    PERFORM job_event_add(NEW, 'job.throttled', NEW.throttled_reason, NEW.throttled_until);
  END IF;
  IF NEW.window_opens_at IS DISTINCT FROM OLD.window_opens_at AND NEW.window_opens_at IS NOT NULL
    OR OLD.status = 'Paused' AND NEW.status IN ('Queued', 'Processing') AND NEW.window_opens_at > statement_timestamp() THEN
    PERFORM job_event_add(NEW, 'job.throttled', 'send_window', NEW.window_opens_at);
  END IF;
  IF NEW.status <> OLD.status AND NEW.status IN ('Paused', 'Completed', 'Failed', 'Cancelled') THEN
    PERFORM job_event_add(NEW, 'job.' || lower(NEW.status));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER bulk_jobs_add_events AFTER UPDATE OF status, started_at, throttled_reason, window_opens_at ON bulk_jobs
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status OR OLD.started_at IS DISTINCT FROM NEW.started_at
    OR (NEW.throttled_reason IS NOT NULL AND OLD.throttled_reason IS DISTINCT FROM NEW.throttled_reason)
    OR (NEW.window_opens_at IS NOT NULL AND OLD.window_opens_at IS DISTINCT FROM NEW.window_opens_at))
  EXECUTE FUNCTION bulk_jobs_add_events();

CREATE FUNCTION sender_lanes_add_wait_events() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE job bulk_jobs;
BEGIN
  PERFORM pg_advisory_xact_lock(lane_wait_key(NEW.sender_id));
  FOR job IN SELECT * FROM bulk_jobs WHERE sender_id = NEW.sender_id AND completed_at IS NULL AND NOT at_rest
    AND status IN ('Queued', 'Processing') ORDER BY id FOR SHARE
  LOOP
    PERFORM job_event_add(job, 'job.throttled', NEW.throttled_reason, NEW.throttled_until);
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER sender_lanes_add_wait_events AFTER UPDATE OF throttled_reason ON sender_lanes
  FOR EACH ROW WHEN (NEW.throttled_reason IS NOT NULL AND OLD.throttled_reason IS DISTINCT FROM NEW.throttled_reason)
  EXECUTE FUNCTION sender_lanes_add_wait_events();

CREATE FUNCTION bulk_jobs_add_wait_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE lane sender_lanes;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(lane_wait_key(NEW.sender_id));
  SELECT * INTO lane FROM sender_lanes WHERE sender_id = NEW.sender_id;
  IF lane.throttled_reason IS NOT NULL AND lane.lease_until > statement_timestamp() THEN
    PERFORM job_event_add(NEW, 'job.throttled', lane.throttled_reason, lane.throttled_until);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER bulk_jobs_add_wait_event AFTER UPDATE OF status ON bulk_jobs
  FOR EACH ROW WHEN (NEW.status IN ('Queued', 'Processing') AND OLD.status NOT IN ('Queued', 'Processing'))
  EXECUTE FUNCTION bulk_jobs_add_wait_event();
CREATE TRIGGER bulk_jobs_add_wait_event_awake AFTER UPDATE OF at_rest ON bulk_jobs
  FOR EACH ROW WHEN (OLD.at_rest AND NOT NEW.at_rest AND OLD.status IN ('Queued', 'Processing') AND NEW.status = OLD.status
    AND NEW.window_opens_at <= statement_timestamp())
  EXECUTE FUNCTION bulk_jobs_add_wait_event();`,
      ],
    },
    {
      name: 'BulkJobsSheets1790000000095',
      statements: [
        `ALTER TABLE bulk_jobs ADD COLUMN report_columns jsonb`,
        `ALTER TABLE job_recipients ADD COLUMN other_cells jsonb`,
      ],
    },
    ...MANY_ACCOUNTS_STEPS,
    ...SEVERAL_SENDERS_STEPS,
    // Processes of an earlier version own the tables and change the partitions themselves.
    { name: 'PartitionsOfAnotherRole1790000000130', statements: [CHANGE_MESSAGE_PARTITION, CHANGE_DELIVERY_LOG] },
  ],
};
