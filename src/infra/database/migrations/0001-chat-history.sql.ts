/** Conversations: what their list shows, updated with every message so that no list reads the messages. */
export const CHAT_HISTORY = `
-- The id is derived from account and person. A person who hides the phone number is known only by the platform's user id.
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
`;
