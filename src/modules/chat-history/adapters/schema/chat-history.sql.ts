/** Conversations, updated with every message so that lists need not read the messages. */
export const CHAT_HISTORY = `
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
  window_expires_at timestamptz
) WITH (fillfactor = 80);
-- Lists the conversations of an account, latest first; deletes expired ones.
CREATE INDEX conversations_by_account ON conversations (account_id, last_message_at DESC, id DESC);
-- Finds the conversations of a person with a hidden phone number.
CREATE INDEX conversations_by_user_id ON conversations (account_id, contact_user_id) WHERE contact_user_id IS NOT NULL;
-- Lists and counts the unread conversations of an account without reading the others.
CREATE INDEX conversations_unread ON conversations (account_id, last_message_at DESC, id DESC) WHERE unread_count > 0;

-- Ids of conversations joined into another one: requests with the old id find the current conversation.
CREATE TABLE joined_conversations (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  conversation_id uuid NOT NULL REFERENCES conversations (id) ON DELETE CASCADE
);
-- Deletes the old ids of a deleted conversation (foreign key).
CREATE INDEX joined_conversations_by_conversation ON joined_conversations (conversation_id);
`;
