/** Conversations: what their list shows, kept up with every message so that no list reads the messages. */
export const CHAT_HISTORY = `
-- The id follows from account and person. Who hides the phone number is known by a user id of the platform alone.
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
CREATE INDEX conversations_by_account ON conversations (account_id, last_message_at DESC, id DESC);
CREATE INDEX conversations_by_user_id ON conversations (account_id, contact_user_id) WHERE contact_user_id IS NOT NULL;

-- What the platform said that nobody acts upon, for a person to look at. The id follows from what was said.
CREATE TABLE platform_events (
  id uuid PRIMARY KEY,
  kind text NOT NULL,
  business_account_id text NOT NULL,
  body text NOT NULL,
  received_at timestamptz NOT NULL
);
CREATE INDEX platform_events_by_age ON platform_events (received_at);

-- One row: who clears away at the moment what is too old, and when the next round is due.
CREATE TABLE retention_turn (
  single_row boolean PRIMARY KEY DEFAULT true CHECK (single_row),
  owner uuid,
  lease_until timestamptz NOT NULL DEFAULT '-infinity',
  due_at timestamptz NOT NULL DEFAULT '-infinity'
);
INSERT INTO retention_turn DEFAULT VALUES;
`;
