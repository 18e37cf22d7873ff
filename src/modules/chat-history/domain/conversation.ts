import { createHash } from 'node:crypto';
import { phoneKey } from '../../../kernel/phone-number';

/** How long after a person's message free text may be sent to them, by the platform's rules. */
export const WINDOW_MS = 24 * 3_600_000;

/** The account's exchange with one person. */
export interface Conversation {
  id: string;
  accountId: string;
  /** Digits; null for a person who hides the number and is known by `userId` alone. */
  contactPhone: string | null;
  /** The platform's id of the person for this business (`US.1349…`), where it told one. */
  userId: string | null;
  /** As the person calls themself on the platform; null where they never wrote. */
  profileName: string | null;
  lastMessageAt: Date;
  lastMessageId: string;
  lastDirection: 'Inbound' | 'Outbound';
  /** Inbound messages since the account last marked the conversation as read. */
  unreadCount: number;
  /** 24 h after the person's latest message; null where they never wrote. */
  windowExpiresAt: Date | null;
}

/**
 * A conversation is a pair of account and person, who is known by a phone number in any of its forms, or by a user id of
 * the platform. The id follows from them, so no look-up stands in the way of a send.
 */
export function conversationId(accountId: string, person: string): string {
  const bytes = createHash('sha256').update(accountId).update(phoneKey(person)).digest().subarray(0, 16);
  // Version 8 (RFC 9562): made by a rule of our own.
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
