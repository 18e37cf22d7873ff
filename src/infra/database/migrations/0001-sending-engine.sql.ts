import { PARTITION_STORAGE } from '../message-partition';

/**
 * Jobs, their recipients, single sends, lanes, the message history and what the platform reports: the tables of the sending
 * engine.
 *
 * Positions of a job run from 1 to total_recipients. `cursor` is the next position whose first attempt may be claimed;
 * every position below `settled_below` has a recorded answer to its first attempt. An outcome of NULL is an open row:
 * between the two it is in flight, or waits for a retry where retry_at is set.
 */
export const SENDING_ENGINE = `
CREATE TABLE sender_lanes (
  sender_id uuid PRIMARY KEY REFERENCES senders (id) ON DELETE CASCADE,
  epoch bigint NOT NULL DEFAULT 0,
  owner text,
  lease_until timestamptz NOT NULL DEFAULT '-infinity',
  throttled_reason text,
  throttled_until timestamptz
) WITH (fillfactor = 50);

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
  -- Outcome not known: all of them, and those that may still settle within the grace time.
  unknown integer NOT NULL DEFAULT 0,
  unknown_in_grace integer NOT NULL DEFAULT 0,
  delivered integer NOT NULL DEFAULT 0,
  read integer NOT NULL DEFAULT 0,
  undelivered integer NOT NULL DEFAULT 0,
  pause_reason text,
  -- Only where the service paused the job: the code of the problem, and since when.
  pause_problem text,
  paused_at timestamptz,
  error_code text,
  error_message text,
  throttled_reason text,
  throttled_until timestamptz,
  -- The messaging tier that had no room: a job waits for its next recipient only as long as this one holds.
  throttled_tier text,
  scheduled_at timestamptz,
  valid_until timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  started_at timestamptz,
  completed_at timestamptz,
  -- From when on nobody may read the recipients, because their time is over; cleared: not one row of them is left.
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
  -- Set only for what was not sent: the stable error code; NULL for an Unknown within its grace time.
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

CREATE TABLE single_sends (
  message_id uuid PRIMARY KEY,
  sender_id uuid NOT NULL REFERENCES senders (id) ON DELETE CASCADE,
  attempt integer NOT NULL,
  strikes smallint NOT NULL DEFAULT 0,
  throttles smallint NOT NULL DEFAULT 0,
  sending_epoch bigint,
  retry_at timestamptz,
  give_up_at timestamptz,
  unknown_since timestamptz,
  outcome text,
  problem text,
  valid_until timestamptz NOT NULL
) WITH (fillfactor = 60);
CREATE INDEX single_sends_retry ON single_sends (sender_id, retry_at) WHERE retry_at IS NOT NULL;
CREATE INDEX single_sends_validity ON single_sends (valid_until) WHERE retry_at IS NOT NULL;
CREATE INDEX single_sends_sending ON single_sends (sender_id, sending_epoch) WHERE sending_epoch IS NOT NULL;
CREATE INDEX single_sends_give_up ON single_sends (give_up_at) WHERE give_up_at IS NOT NULL;
CREATE INDEX single_sends_in_grace ON single_sends (unknown_since) WHERE unknown_since IS NOT NULL;

-- Partitioned by the time inside the UUIDv7. created_at is the time of sending and is what lists and retention use.
CREATE TABLE messages (
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  -- NULL: erased. The row stays for the figures, and says nothing of the person any more.
  conversation_id uuid,
  direction text NOT NULL,
  type text NOT NULL,
  contact_phone text,
  contact_user_id text,
  template_name text,
  language_code text,
  revision_id uuid,
  parameters jsonb,
  content jsonb,
  status text NOT NULL,
  problem text,
  problem_message text,
  platform_code integer,
  platform_message_id text,
  reference text,
  job_id uuid,
  row_number integer,
  created_at timestamptz NOT NULL,
  sent_at timestamptz,
  delivered_at timestamptz,
  read_at timestamptz,
  failed_at timestamptz,
  PRIMARY KEY (id)
) PARTITION BY RANGE (id);
CREATE INDEX messages_by_conversation ON messages (conversation_id, created_at, id);
CREATE INDEX messages_by_platform_id ON messages (platform_message_id) WHERE platform_message_id IS NOT NULL;
CREATE INDEX messages_by_account ON messages (account_id, created_at, id);
CREATE INDEX messages_by_job ON messages (job_id, created_at, id) WHERE job_id IS NOT NULL;
CREATE INDEX messages_by_reference ON messages (account_id, reference, created_at, id) WHERE reference IS NOT NULL;
CREATE TABLE messages_default PARTITION OF messages DEFAULT WITH (${PARTITION_STORAGE});

-- What the platform's statuses changed, until it is added to the counters of the jobs.
CREATE TABLE job_status_deltas (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  job_id uuid NOT NULL,
  delivered integer NOT NULL,
  read integer NOT NULL,
  undelivered integer NOT NULL
);

-- Reports of the platform that could not be applied, as they came, for a person to look at.
CREATE TABLE parked_updates (
  id uuid PRIMARY KEY,
  reason text NOT NULL,
  body text NOT NULL,
  received_at timestamptz NOT NULL
);
CREATE INDEX parked_updates_by_age ON parked_updates (received_at);

-- Whom a business started conversations with: its messaging tier limits them in a moving 24 hours. message_id is NULL
-- where several messages rely on the row. at_most people of a portfolio are in the window: counting them takes long.
CREATE TABLE portfolios (id text PRIMARY KEY, at_most integer NOT NULL DEFAULT 0);
CREATE TABLE tier_conversations (
  portfolio_id text NOT NULL,
  person text NOT NULL,
  at timestamptz NOT NULL,
  message_id uuid,
  PRIMARY KEY (portfolio_id, person)
) WITH (fillfactor = 70);
CREATE INDEX tier_conversations_by_age ON tier_conversations (portfolio_id, at);
CREATE INDEX tier_conversations_by_message ON tier_conversations (message_id) WHERE message_id IS NOT NULL;
`;
