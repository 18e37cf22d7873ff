import { PARTITION_STORAGE } from '../message-partition';

/** The message history, partitioned by month, and the turn of its retention. */
export const MESSAGES = `
-- Partitioned by the time inside the UUIDv7. created_at is the time of sending; lists and retention use it.
CREATE TABLE messages (
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  -- NULL: erased. The row stays for the statistics, without anything about the person.
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

-- One row: which process deletes expired data at the moment, and when the next round is due.
CREATE TABLE retention_turn (
  single_row boolean PRIMARY KEY DEFAULT true CHECK (single_row),
  owner uuid,
  lease_until timestamptz NOT NULL DEFAULT '-infinity',
  due_at timestamptz NOT NULL DEFAULT '-infinity'
);
INSERT INTO retention_turn DEFAULT VALUES;
`;
