/**
 * Bulk jobs and their recipients.
 *
 * Positions of a job run from 1 to total_recipients. `cursor` is the next position whose first attempt may be claimed;
 * every position below `settled_below` has a recorded answer to its first attempt. An outcome of NULL is an open row:
 * between the two it is in flight, or waits for a retry where retry_at is set.
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
  reference text,
  file_name text,
  group_id uuid,
  retry_of uuid,
  import_owner uuid,
  import_lease_until timestamptz,
  total_recipients integer NOT NULL DEFAULT 0,
  invalid_rows integer NOT NULL DEFAULT 0,
  duplicate_rows integer NOT NULL DEFAULT 0,
  cursor integer NOT NULL DEFAULT 1,
  settled_below integer NOT NULL DEFAULT 1,
  lane_epoch bigint NOT NULL DEFAULT 0,
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
  -- Set only where the service paused the job: the error code, and when.
  pause_problem text,
  paused_at timestamptz,
  error_code text,
  error_message text,
  throttled_reason text,
  throttled_until timestamptz,
  -- The messaging tier whose budget was used up; the job continues as soon as the sender has another tier.
  throttled_tier text,
  scheduled_at timestamptz,
  valid_until timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  started_at timestamptz,
  completed_at timestamptz,
  -- When the retention time of the recipients ended: nobody reads them from then on; cleared: all their rows are deleted.
  recipients_expired_at timestamptz,
  recipients_cleared boolean NOT NULL DEFAULT false,
  updated_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50);
CREATE INDEX bulk_jobs_by_account ON bulk_jobs (account_id, created_at DESC, id DESC);
CREATE INDEX bulk_jobs_unfinished ON bulk_jobs (sender_id, id) WHERE completed_at IS NULL;
CREATE INDEX bulk_jobs_uncleared ON bulk_jobs (account_id, completed_at, id)
  WHERE completed_at IS NOT NULL AND NOT recipients_cleared;
CREATE INDEX bulk_jobs_importing ON bulk_jobs (import_lease_until) WHERE status IN ('Importing', 'Abandoned');

-- No foreign key on job_id: it would take a lock on the job for each of a million rows.
CREATE TABLE job_recipients (
  job_id uuid NOT NULL,
  position integer NOT NULL,
  row_number integer NOT NULL,
  message_id uuid NOT NULL,
  phone text NOT NULL,
  parameters jsonb NOT NULL,
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
) WITH (fillfactor = 60);
CREATE INDEX job_recipients_retry ON job_recipients (job_id, retry_at) WHERE retry_at IS NOT NULL;
CREATE INDEX job_recipients_sending ON job_recipients (job_id, sending_epoch) WHERE sending_epoch IS NOT NULL;
CREATE INDEX job_recipients_in_grace ON job_recipients (job_id, unknown_since) WHERE unknown_since IS NOT NULL;
CREATE INDEX job_recipients_problem ON job_recipients (job_id, problem, position) WHERE problem IS NOT NULL;

-- Changes of the counters of jobs by the platform's statuses, until they are added to the jobs.
CREATE TABLE job_status_deltas (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  job_id uuid NOT NULL,
  delivered integer NOT NULL,
  read integer NOT NULL,
  undelivered integer NOT NULL
);
`;
