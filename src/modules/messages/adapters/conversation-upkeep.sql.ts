/**
 * Saves outbound messages by `insertMessages`, an INSERT without RETURNING, and updates their conversations in the same
 * statement: bulk sends record thousands of messages a second, and a second round trip would cost as much as the writing.
 * Conversations are written in the order of their ids, so that concurrent writers wait and do not deadlock. An erased message
 * has no person, so its late outcome creates no conversation.
 */
export function savingWithConversations(insertMessages: string): string {
  return `
WITH saved AS (${insertMessages}
RETURNING id, account_id, conversation_id, contact_phone, contact_user_id, created_at)
INSERT INTO conversations AS c (id, account_id, contact_phone, contact_user_id, last_message_id, last_message_at,
  last_direction)
SELECT DISTINCT ON (conversation_id) conversation_id, account_id, contact_phone, contact_user_id, id, created_at, 'Outbound'
FROM saved WHERE contact_phone IS NOT NULL OR contact_user_id IS NOT NULL
ORDER BY conversation_id, created_at DESC, id DESC
ON CONFLICT (id) DO UPDATE SET last_message_id = EXCLUDED.last_message_id, last_message_at = EXCLUDED.last_message_at,
  last_direction = EXCLUDED.last_direction
WHERE (c.last_message_at, c.last_message_id) < (EXCLUDED.last_message_at, EXCLUDED.last_message_id)`;
}
