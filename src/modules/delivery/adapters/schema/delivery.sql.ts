/** Lanes and their workers, status deltas until they are counted, and activity over time by job and account. */
export const DELIVERY = `
-- Which process sends for a sender, and what throttles it.
CREATE TABLE sender_lanes (
  sender_id uuid PRIMARY KEY REFERENCES senders (id) ON DELETE CASCADE,
  epoch bigint NOT NULL DEFAULT 0,
  owner text,
  lease_until timestamptz NOT NULL DEFAULT '-infinity',
  throttled_reason text,
  throttled_until timestamptz
) WITH (fillfactor = 50);

-- The live workers and how many lanes each runs, so that lanes spread evenly over them.
CREATE TABLE lane_workers (
  owner text PRIMARY KEY,
  lanes integer NOT NULL,
  lease_until timestamptz NOT NULL
) WITH (fillfactor = 50);

-- Changes of the counters of jobs by the platform's statuses, until they are added to the jobs.
CREATE TABLE job_status_deltas (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  job_id uuid NOT NULL,
  delivered integer NOT NULL,
  read integer NOT NULL,
  undelivered integer NOT NULL
);

-- The counters of a job that its samples include. due: the counters have changed since, and no lane runs the job.
CREATE TABLE job_pace (
  job_id uuid PRIMARY KEY REFERENCES bulk_jobs (id) ON DELETE CASCADE,
  sent integer NOT NULL,
  failed integer NOT NULL,
  step_seconds integer NOT NULL DEFAULT 1,
  samples integer NOT NULL DEFAULT 0,
  last_at timestamptz,
  due boolean NOT NULL DEFAULT false
) WITH (fillfactor = 50);
-- LOCK_CHANGED_JOBS (activity.sql.ts): jobs that are due to be sampled.
CREATE INDEX job_pace_due ON job_pace (job_id) WHERE due;
CREATE TABLE job_pace_samples (
  job_id uuid NOT NULL REFERENCES job_pace (job_id) ON DELETE CASCADE,
  at timestamptz NOT NULL,
  sent integer NOT NULL,
  failed integer NOT NULL,
  PRIMARY KEY (job_id, at)
) WITH (fillfactor = 80);

CREATE TABLE account_activity (
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  hour timestamptz NOT NULL,
  sent integer NOT NULL DEFAULT 0,
  delivered integer NOT NULL DEFAULT 0,
  read integer NOT NULL DEFAULT 0,
  undelivered integer NOT NULL DEFAULT 0,
  failed integer NOT NULL DEFAULT 0,
  received integer NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, hour)
) WITH (fillfactor = 50);
CREATE TABLE account_failures (
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  hour timestamptz NOT NULL,
  code text NOT NULL,
  count integer NOT NULL,
  PRIMARY KEY (account_id, hour, code)
) WITH (fillfactor = 50);
-- Until they are added to the two above.
CREATE TABLE activity_deltas (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id uuid NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  code text,
  sent integer NOT NULL,
  delivered integer NOT NULL,
  read integer NOT NULL,
  undelivered integer NOT NULL,
  failed integer NOT NULL,
  received integer NOT NULL
);
`;
