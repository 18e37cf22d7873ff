/** Conversations, updated with every message so that lists need not read the messages. */
export const CHAT_HISTORY = `
-- Every message moves its conversation in an index, so no update is HOT: vacuumed early, the index stays small.
-- The id is derived from account and person. A person with a hidden phone number is identified by the platform's user
-- id.
CREATE TABLE conversations (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  contact_phone text,
  contact_user_id text,
  profile_name text,
  last_message_id uuid NOT NULL,
  last_message_at timestamptz NOT NULL,
  last_direction text NOT NULL,
  unread_count integer NOT NULL DEFAULT 0,
  window_expires_at timestamptz,
  -- The sender that the person wrote to last, from which the account replies. NULL: recorded by an early
  -- version, the oldest sender of the account.
  sender_id uuid,
  -- The latest message that the person wrote, without reactions. NULL: none, or recorded by an early version.
  last_inbound_id uuid,
  -- Open | Done | Keyword: its latest messages were only opt-out or opt-in keywords. NULL: the person has never written.
  state text
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
-- Lists the conversations of an account, latest first; deletes expired ones.
CREATE INDEX conversations_by_account ON conversations (account_id, last_message_at DESC, id DESC);
-- Finds the conversations of a person with a hidden phone number.
CREATE INDEX conversations_by_user_id ON conversations (account_id, contact_user_id) WHERE contact_user_id IS NOT NULL;
-- Lists and counts the unread conversations of an account without reading the others.
CREATE INDEX conversations_unread ON conversations (account_id, last_message_at DESC, id DESC) WHERE unread_count > 0;
-- Lists the conversations of an account with people who wrote, by state.
CREATE INDEX conversations_by_state ON conversations (account_id, state, last_message_at DESC, id DESC) WHERE state IS NOT NULL;

-- Ids of conversations joined into another one: requests with the old id find the current conversation.
CREATE TABLE joined_conversations (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  conversation_id uuid NOT NULL REFERENCES conversations (id) ON DELETE CASCADE
);
-- Deletes the old ids of a deleted conversation (foreign key).
CREATE INDEX joined_conversations_by_conversation ON joined_conversations (conversation_id);

-- Texts that people of the account insert into replies.
CREATE TABLE quick_replies (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  name text NOT NULL,
  text text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
-- One quick reply for each name; lists those of an account.
CREATE UNIQUE INDEX quick_replies_by_name ON quick_replies (account_id, lower(name));
`;
