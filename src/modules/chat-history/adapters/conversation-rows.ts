import type { Conversation } from '../domain/conversation';
import { placeTime } from './kept-message-rows';

/** A conversation as SELECT_CONVERSATIONS reads it. */
export interface ConversationRow {
  id: string;
  account_id: string;
  contact_phone: string | null;
  contact_user_id: string | null;
  profile_name: string | null;
  last_message_at: Date;
  last_message_id: string;
  last_direction: Conversation['lastDirection'];
  unread_count: number;
  window_expires_at: Date | null;
  /** See Place. */
  at: string;
}

/** Everything of conversations. */
export const SELECT_CONVERSATIONS = `
SELECT id, account_id, contact_phone, contact_user_id, profile_name, last_message_at, last_message_id, last_direction,
  unread_count, window_expires_at, ${placeTime('last_message_at')} AS at
FROM conversations`;

/** The conversation that a row tells. */
export function conversationOf(row: ConversationRow): Conversation {
  return {
    id: row.id,
    accountId: row.account_id,
    contactPhone: row.contact_phone,
    userId: row.contact_user_id,
    profileName: row.profile_name,
    lastMessageAt: row.last_message_at,
    lastMessageId: row.last_message_id,
    lastDirection: row.last_direction,
    unreadCount: row.unread_count,
    windowExpiresAt: row.window_expires_at,
  };
}
