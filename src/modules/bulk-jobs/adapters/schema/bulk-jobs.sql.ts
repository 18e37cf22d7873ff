/**
 * Each row is updated once or twice: with half of each page free no index is (HOT). Vacuumed after each million of a hundred million rows
 * instead of each 20 million (docs/adr/0020-growing-tables.md).
 */
const RECIPIENT_STORAGE =
  'fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02';

/**
 * Bulk jobs and their recipients.
 *
 * Positions of a job run from 1 to total_recipients. `cursor` is the next position whose first attempt may be claimed;
 * the first attempt of every position below `settled_below` has a recorded answer. An open row (outcome NULL) between
 * the two is in flight or, if retry_at is set, waits for a retry.
 */
export const BULK_JOBS = `
CREATE TABLE bulk_jobs (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  sender_id uuid NOT NULL REFERENCES senders (id),
  kind text NOT NULL,
  status text NOT NULL,
  template_name text NOT NULL,
  language_code text NOT NULL,
  revision_id uuid NOT NULL REFERENCES template_revisions (id),
  header_media jsonb,
  -- For people; NULL: none.
  name text,
  reference text,
  file_name text,
  -- File and fields of the upload, to detect the same upload.
  upload_hash bytea,
  group_id uuid,
  -- Groups, excluded groups and notReachedBy of a group send; NULL: all contacts of group_id.
  audience jsonb,
  -- Fields that recipients have of their own, and the columns of the uploaded sheet (domain/report-columns.ts); NULL: neither.
  report_columns jsonb,
  retry_of uuid,
  -- The scope and the error codes of a retry, to detect retries of the same recipients. NULL: no retry, or one of an early version.
  retry_scope text,
  retry_codes text[],
  import_owner uuid,
  import_lease_until timestamptz,
  total_recipients integer NOT NULL DEFAULT 0,
  invalid_rows integer NOT NULL DEFAULT 0,
  duplicate_rows integer NOT NULL DEFAULT 0,
  cursor integer NOT NULL DEFAULT 1,
  settled_below integer NOT NULL DEFAULT 1,
  lane_epoch bigint NOT NULL DEFAULT 0,
  -- Skipped by lanes: the job is paused, scheduled, or outside its send window.
  at_rest boolean NOT NULL DEFAULT false,
  successfully_sent integer NOT NULL DEFAULT 0,
  failed integer NOT NULL DEFAULT 0,
  skipped integer NOT NULL DEFAULT 0,
  -- Recipients with unknown outcome: all of them, and those still within the grace time.
  unknown integer NOT NULL DEFAULT 0,
  unknown_in_grace integer NOT NULL DEFAULT 0,
  delivered integer NOT NULL DEFAULT 0,
  read integer NOT NULL DEFAULT 0,
  undelivered integer NOT NULL DEFAULT 0,
  pause_reason text,
  -- Set only where the service paused the job: the error code.
  pause_problem text,
  paused_at timestamptz,
  error_code text,
  error_message text,
  -- API keys that created, last paused and cancelled the job; kept when a key is deleted. NULL: the service acted, or not recorded.
  created_by uuid,
  paused_by uuid,
  cancelled_by uuid,
  -- The request that created the job, and its trace (header traceparent). NULL: not recorded.
  request_id text,
  traceparent text,
  throttled_reason text,
  throttled_until timestamptz,
  -- The messaging tier whose budget was used up; the job continues as soon as the sender has another tier.
  throttled_tier text,
  scheduled_at timestamptz,
  -- Unknown of jobs of early versions, whose valid_until counts from their creation.
  valid_for_seconds integer,
  valid_until timestamptz,
  -- The send window: hours of the day, weekdays (1 is Monday) and a time zone; NULL: any time. While a running job is outside of
  -- it, window_opens_at is when it opens.
  send_from time,
  send_until time,
  send_zone text,
  send_days smallint[],
  window_opens_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  started_at timestamptz,
  completed_at timestamptz,
  -- When the retention of the recipients ended: they are no longer read. recipients_cleared: all their rows are deleted.
  recipients_expired_at timestamptz,
  recipients_cleared boolean NOT NULL DEFAULT false,
  -- Last change that clients see, other than the counters of a running job (job-changes.sql.ts); NULL in jobs of early versions.
  changed_at timestamptz DEFAULT clock_timestamp(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- All four or none, and a time zone of this database: an unknown one would fail every statement that reads the window.
  CONSTRAINT bulk_jobs_send_window CHECK (
    num_nulls(send_from, send_until, send_zone, send_days) = 4
    OR (num_nulls(send_from, send_until, send_zone, send_days) = 0 AND send_from <> send_until AND cardinality(send_days) > 0
      AND timestamptz '2026-01-01 00:00:00+00' AT TIME ZONE send_zone IS NOT NULL))
) WITH (fillfactor = 50);
-- postgres-bulk-job-store.ts: lists and counts the jobs of an account, newest first, with the filters that are columns of the index.
CREATE INDEX bulk_jobs_listed ON bulk_jobs (account_id, created_at DESC, id DESC) INCLUDE (status, kind);
-- The same by reference.
CREATE INDEX bulk_jobs_by_reference ON bulk_jobs (account_id, reference, created_at DESC, id DESC) INCLUDE (status, kind)
  WHERE reference IS NOT NULL;
-- Finds jobs by a part of the name.
CREATE INDEX bulk_jobs_by_name ON bulk_jobs USING gin (search_keys(account_id, name)) WHERE name IS NOT NULL;
-- LIVE_JOBS (live-jobs.sql.ts): jobs of an account that changed in the last seconds.
CREATE INDEX bulk_jobs_changed ON bulk_jobs (account_id, changed_at) WHERE changed_at IS NOT NULL;
-- EARLIER_UPLOAD (job-intake.sql.ts): the job of the same upload in the last 24 hours.
CREATE INDEX bulk_jobs_by_upload ON bulk_jobs (account_id, upload_hash, created_at) WHERE upload_hash IS NOT NULL;
-- RETRIES_OF (job-intake.sql.ts) and ALL_RETRIES (job-reads.sql.ts): the retries of a job.
CREATE INDEX bulk_jobs_retries ON bulk_jobs (retry_of, created_at) WHERE retry_of IS NOT NULL;
-- COUNT_OPEN (job-intake.sql.ts): whether an account has unfinished jobs, at rest or not.
CREATE INDEX bulk_jobs_unfinished ON bulk_jobs (sender_id, id) WHERE completed_at IS NULL;
-- UNFINISHED_JOBS, ADOPT_JOBS (lane-jobs.sql.ts), SENDERS_TO_RUN (lane-leases.sql.ts): the jobs of a lane.
CREATE INDEX bulk_jobs_for_lanes ON bulk_jobs (sender_id, id) WHERE completed_at IS NULL AND NOT at_rest;
-- UNSENDABLE (template-jobs.sql.ts), LOCK_CHANGED_JOBS (activity.sql.ts), WORKLOAD (lane-leases.sql.ts): all running jobs.
CREATE INDEX bulk_jobs_running ON bulk_jobs (id) WHERE status IN ('Queued', 'Processing') AND completed_at IS NULL;
-- LOCK_CLOSED (job-windows.sql.ts): running jobs with a send window.
CREATE INDEX bulk_jobs_windows_awake ON bulk_jobs (id)
  WHERE send_zone IS NOT NULL AND status IN ('Queued', 'Processing') AND completed_at IS NULL AND NOT at_rest;
-- WAKE_OPEN (job-windows.sql.ts): jobs at rest until their window opens or their validity ends.
CREATE INDEX bulk_jobs_windows_at_rest ON bulk_jobs (LEAST(window_opens_at, valid_until))
  WHERE at_rest AND status IN ('Queued', 'Processing') AND completed_at IS NULL;
-- START_DUE (job-schedule.sql.ts): due scheduled jobs.
CREATE INDEX bulk_jobs_scheduled ON bulk_jobs (scheduled_at) WHERE status = 'Scheduled';
-- EXPIRE_PAUSES (job-status.sql.ts): jobs paused for 30 days.
CREATE INDEX bulk_jobs_paused ON bulk_jobs (paused_at) WHERE status = 'Paused';
-- WAITING, ACCOUNTS_TO_SYNC (template-jobs.sql.ts): jobs that the service paused for a problem of their template.
CREATE INDEX bulk_jobs_paused_by_problem ON bulk_jobs (pause_problem, id)
  WHERE status = 'Paused' AND completed_at IS NULL AND pause_problem IS NOT NULL;
-- recipient-retention.ts: finished jobs whose recipients are still kept.
CREATE INDEX bulk_jobs_uncleared ON bulk_jobs (account_id, completed_at, id)
  WHERE completed_at IS NOT NULL AND NOT recipients_cleared;
-- WINDOW (postgres-message-archive.ts): jobs that sent messages, whose ids are made with the job, more than a day after their creation.
CREATE INDEX bulk_jobs_long ON bulk_jobs (account_id, COALESCE(completed_at, 'infinity')) INCLUDE (created_at)
  WHERE completed_at IS NULL OR completed_at - created_at > interval '1 day';
-- postgres-job-intake-store.ts: imports whose process has died.
CREATE INDEX bulk_jobs_importing ON bulk_jobs (import_lease_until) WHERE status IN ('Importing', 'Abandoned');

-- No foreign key on job_id: it would take a lock on the job for each of a million rows.
CREATE TABLE job_recipients (
  job_id uuid NOT NULL,
  position integer NOT NULL,
  row_number integer NOT NULL,
  message_id uuid NOT NULL,
  -- The number, or the user id if the number is unknown; empty: the person was erased.
  phone text NOT NULL,
  parameters jsonb NOT NULL,
  -- The recipient's own extras, in addition to the job's header_media, and its own reference; NULL: none.
  extras jsonb,
  reference text,
  -- The user id by which a recipient was given whose number is known.
  user_id text,
  -- The cells of the uploaded row from which nothing was read, or something else, by column; NULL: none.
  other_cells jsonb,
  attempt integer NOT NULL DEFAULT 0,
  strikes smallint NOT NULL DEFAULT 0,
  throttles smallint NOT NULL DEFAULT 0,
  sending_epoch bigint,
  retry_at timestamptz,
  unknown_since timestamptz,
  -- Sent | Failed | Skipped | Unknown | Cancelled; NULL while open.
  outcome text,
  -- The error code where the message was not sent; NULL for Unknown within its grace time.
  problem text,
  problem_message text,
  platform_code integer,
  updated_at timestamptz,
  PRIMARY KEY (job_id, position)
) WITH (${RECIPIENT_STORAGE});
-- FIRST_RETRY, CLAIM_DUE, RECIPIENTS_WAITING (lane-jobs.sql.ts, as the next two).
CREATE INDEX job_recipients_retry ON job_recipients (job_id, retry_at) WHERE retry_at IS NOT NULL;
-- FIRST_IN_FLIGHT, LATER_ATTEMPTS, STRAND_LATER_ATTEMPTS.
CREATE INDEX job_recipients_sending ON job_recipients (job_id, sending_epoch) WHERE sending_epoch IS NOT NULL;
-- FIRST_UNKNOWN, RECIPIENTS_WITH_GRACE_OVER.
CREATE INDEX job_recipients_in_grace ON job_recipients (job_id, unknown_since) WHERE unknown_since IS NOT NULL;
-- job-failures.sql.ts: recipients of a job by error code.
CREATE INDEX job_recipients_problem ON job_recipients (job_id, problem, position) WHERE problem IS NOT NULL;

-- Which people a range of recipients has (domain/person-keys.ts): an index by person would double the time of an import. None of jobs of
-- early versions. With the target, the keys of a chunk fit into the row.
CREATE TABLE job_recipient_keys (
  job_id uuid NOT NULL REFERENCES bulk_jobs (id) ON DELETE CASCADE,
  first_position integer NOT NULL,
  last_position integer NOT NULL,
  keys integer[] NOT NULL,
  PRIMARY KEY (job_id, first_position)
) WITH (toast_tuple_target = 8160);
ALTER TABLE job_recipient_keys ALTER COLUMN keys SET STORAGE EXTERNAL;
`;
