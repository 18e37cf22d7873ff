/** The columns of a whole `Conversation`. */
export const CONVERSATION_COLUMNS = `id, account_id AS "accountId", contact_phone AS "contactPhone", contact_user_id AS "userId",
  profile_name AS "profileName", last_message_at AS "lastMessageAt", last_message_id AS "lastMessageId",
  last_direction AS "lastDirection", unread_count AS "unreadCount", window_expires_at AS "windowExpiresAt", sender_id AS "senderId",
  last_inbound_id AS "lastInboundId", state`;
