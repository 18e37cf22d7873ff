import { WINDOW_MS } from '../domain/conversation';

/** Open, and the person's latest messages have no reply; `of` is empty or the table's alias and a dot. Partial indexes have the same condition. */
export const awaitsReply = (of = '') =>
  `${of}state = 'Open' AND ${of}answered_inbound_id IS DISTINCT FROM ${of}last_inbound_id`;

/** Since when, if it awaits a reply; without a time since its latest message. The index of migration 0119 has the same expression. */
export const waitingSince = (of = '') => `COALESCE(${of}waiting_since, ${of}last_message_at)`;

/** Since when it awaits a reply; null: it does not. */
export const waitingSinceOrNull = (of = '') => `CASE WHEN ${awaitsReply(of)} THEN ${waitingSince(of)} END`;

/**
 * The person has not opted out of all messages since they last wrote; a keyword opts out at the time it was written. `OFFSET 0` makes the
 * planner look up each person.
 */
export const mayBeAnswered = (of: string) => `NOT EXISTS (
  SELECT FROM opt_outs o
  WHERE o.account_id = ${of}account_id AND o.person IN (${of}contact_phone, ${of}contact_user_id) AND o.scope = 'All' AND o.stopped
    AND GREATEST(o.created_at, o.stop_at) >= ${of}window_expires_at - interval '${WINDOW_MS} milliseconds'
  OFFSET 0)`;

/** The columns of a whole `Conversation`. */
export const CONVERSATION_COLUMNS = `id, account_id AS "accountId", contact_phone AS "contactPhone", contact_user_id AS "userId",
  profile_name AS "profileName", last_message_at AS "lastMessageAt", last_message_id AS "lastMessageId",
  last_direction AS "lastDirection", unread_count AS "unreadCount", window_expires_at AS "windowExpiresAt", sender_id AS "senderId",
  last_inbound_id AS "lastInboundId", state, ${waitingSinceOrNull()} AS "waitingSince"`;
