import type { PhoneNumber } from '../../../kernel/phone-number';
import { countsAsUnread, isFromPerson, type RecordedInbound } from '../../messages/domain/inbound-message';
import { WINDOW_MS } from './conversation';

/** What new inbound messages change in their conversation. */
export interface ConversationUpdate {
  id: string;
  accountId: string;
  contactPhone: PhoneNumber | null;
  userId: string | null;
  profileName: string | null;
  lastMessageId: string;
  lastMessageAt: Date;
  /** How many of the new messages are unread. */
  unread: number;
  /** Null when none of the messages opens the 24 h window. */
  windowExpiresAt: Date | null;
}

/** What new inbound messages change in their conversations, one entry for each, ordered by id. */
export function conversationUpdates(messages: readonly RecordedInbound[]): ConversationUpdate[] {
  const updates = new Map<string, ConversationUpdate>();
  const inTime = [...messages].sort((a, b) => a.orderedAt.getTime() - b.orderedAt.getTime() || (a.id < b.id ? -1 : 1));
  for (const message of inTime) {
    const before = updates.get(message.conversationId);
    updates.set(message.conversationId, {
      id: message.conversationId,
      accountId: message.accountId,
      contactPhone: before?.contactPhone ?? message.phone,
      userId: message.userId ?? before?.userId ?? null,
      profileName: message.profileName ?? before?.profileName ?? null,
      lastMessageId: message.id,
      lastMessageAt: message.orderedAt,
      unread: (before?.unread ?? 0) + (message.isNew && countsAsUnread(message) ? 1 : 0),
      windowExpiresAt: isFromPerson(message)
        ? new Date(Math.max(before?.windowExpiresAt?.getTime() ?? 0, message.at.getTime() + WINDOW_MS))
        : (before?.windowExpiresAt ?? null),
    });
  }
  return [...updates.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}
