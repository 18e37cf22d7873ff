import { messagePartition, PARTITION_STORAGE } from '../message-partition';

const MONTHS_AHEAD = 3;

/** The message history, partitioned by month, and the turn of its retention. */
export const MESSAGES = `
-- Partitioned by the time inside the UUIDv7. created_at is the time of sending; lists and retention use it.
CREATE TABLE messages (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  -- NULL: erased. The row remains for statistics, without personal data.
  conversation_id uuid,
  -- The sender that it was sent from or came to. NULL: recorded by an early version, the oldest sender of
  -- the account.
  sender_id uuid,
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
  -- The platform's remark when it accepted the message.
  acceptance text,
  problem text,
  problem_message text,
  platform_code integer,
  platform_message_id text,
  reference text,
  job_id uuid,
  row_number integer,
  -- Pricing as reported by the platform.
  pricing_billable boolean,
  pricing_category text,
  pricing_type text,
  created_at timestamptz NOT NULL,
  sent_at timestamptz,
  delivered_at timestamptz,
  read_at timestamptz,
  failed_at timestamptz
) PARTITION BY RANGE (id);
CREATE TABLE messages_default PARTITION OF messages DEFAULT WITH (${PARTITION_STORAGE});
-- Reads a conversation in both directions; erases, exports and joins conversations.
CREATE INDEX messages_by_conversation ON messages (conversation_id, created_at, id);
-- BY_PLATFORM_IDS (message-statuses.sql.ts): the messages that status reports refer to; lists the message with an id.
CREATE INDEX messages_by_platform_id ON messages (platform_message_id) WHERE platform_message_id IS NOT NULL;
-- Lists the messages of an account; deletes expired ones.
CREATE INDEX messages_by_account ON messages (account_id, created_at, id);
-- Lists the messages of a job.
CREATE INDEX messages_by_job ON messages (job_id, created_at, id) WHERE job_id IS NOT NULL;
-- Lists the messages with a client reference.
CREATE INDEX messages_by_reference ON messages (account_id, reference, created_at, id) WHERE reference IS NOT NULL;
-- Counts the failures of a job (job-failures.sql.ts). Filters on failed_at, which only failures change: with status in
-- the condition, every delivery report would update all indexes.
CREATE INDEX messages_failed_of_jobs ON messages (job_id, id) WHERE failed_at IS NOT NULL AND job_id IS NOT NULL;

-- One row: which process deletes expired data, and when the next round is due.
CREATE TABLE retention_turn (
  single_row boolean PRIMARY KEY DEFAULT true CHECK (single_row),
  owner uuid,
  lease_until timestamptz NOT NULL DEFAULT '-infinity',
  due_at timestamptz NOT NULL DEFAULT '-infinity'
);
INSERT INTO retention_turn DEFAULT VALUES;
`;

/** The partitions of the month of `now` and of the next three; MessagePartitions creates the later ones. */
export function firstMessagePartitions(now: Date): string {
  return Array.from({ length: MONTHS_AHEAD + 1 }, (_, month) => {
    const { name, from, to } = messagePartition(now, month);
    return `CREATE TABLE ${name} PARTITION OF messages FOR VALUES FROM ('${from}') TO ('${to}') WITH (${PARTITION_STORAGE});`;
  }).join('\n');
}
