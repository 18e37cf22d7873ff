import type { PhoneNumber } from '../../../kernel/phone-number';
import { countsAsUnread, isFromPerson, type RecordedInbound } from '../../messages/domain/inbound-message';
import { WINDOW_MS } from './conversation';

/** The update of a conversation after new inbound messages. */
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
  /** Null if no message opens the 24 h window. */
  windowExpiresAt: Date | null;
}

/** The updates that new inbound messages make, one per conversation, ordered by id. */
export function conversationUpdates(messages: readonly RecordedInbound[]): ConversationUpdate[] {
  const updates = new Map<string, ConversationUpdate>();
  const chronological = [...messages].sort(
    (a, b) => a.orderedAt.getTime() - b.orderedAt.getTime() || (a.id < b.id ? -1 : 1),
  );
  for (const message of chronological) {
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
