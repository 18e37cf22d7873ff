/** Open, and the person's latest messages have no reply. The partial index of migration 0111 has the same condition. */
export const AWAITS_REPLY = `state = 'Open' AND answered_inbound_id IS DISTINCT FROM last_inbound_id`;

/** The columns of a whole `Conversation`. */
export const CONVERSATION_COLUMNS = `id, account_id AS "accountId", contact_phone AS "contactPhone", contact_user_id AS "userId",
  profile_name AS "profileName", last_message_at AS "lastMessageAt", last_message_id AS "lastMessageId",
  last_direction AS "lastDirection", unread_count AS "unreadCount", window_expires_at AS "windowExpiresAt", sender_id AS "senderId",
  last_inbound_id AS "lastInboundId", state, (${AWAITS_REPLY}) IS TRUE AS "awaitsReply"`;
