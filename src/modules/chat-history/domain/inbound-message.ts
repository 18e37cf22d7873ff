import { createHash } from 'node:crypto';
import type { PhoneNumber } from '../../../kernel/phone-number';
import { WINDOW_MS } from './conversation';
import type { MessageContent, MessageType } from './message-content';

/** A message of a person as it was reported, before it is known whose phone number it was sent to. */
export interface ReportedMessageIn {
  phoneNumberId: string;
  platformMessageId: string;
  /** Digits; null for a person who hides the number: then there is a user id. */
  phone: PhoneNumber | null;
  userId: string | null;
  /** As the person calls themself on the platform. */
  profileName: string | null;
  type: Exclude<MessageType, 'Template'>;
  content: MessageContent;
  /** When it was written, in whole seconds; never after now. */
  at: Date;
  /** Its place in the conversation: the platform tells whole seconds only, so what is new stands where it arrived. */
  placedAt: Date;
  /** `at` as the platform writes it, in ms: a repeated report says the same. 0 where it says nothing. */
  stampMs: number;
}

/** A message of a person to an account. */
export interface InboundMessage extends Omit<ReportedMessageIn, 'phoneNumberId' | 'stampMs'> {
  id: string;
  accountId: string;
}

/** What new messages of one person change about the conversation. */
export interface ConversationNews {
  id: string;
  accountId: string;
  contactPhone: PhoneNumber | null;
  userId: string | null;
  profileName: string | null;
  lastMessageId: string;
  lastMessageAt: Date;
  /** New messages that somebody has to read. */
  unread: number;
  /** Null where nothing that the person wrote opens the window. */
  windowExpiresAt: Date | null;
}

/** Largest time that a UUIDv7 holds. */
const LARGEST_STAMP = 2 ** 48 - 1;

/**
 * The id of a message that came in: a UUIDv7 of its time whose random part follows from account and platform's id. The
 * platform repeats a report for a week; each repetition names the same row.
 */
export function inboundMessageId(accountId: string, platformMessageId: string, stampMs: number): string {
  const time = stampMs > 0 && stampMs <= LARGEST_STAMP ? Math.floor(stampMs) : 0;
  const bytes = createHash('sha256').update(accountId).update(platformMessageId).digest().subarray(0, 16);
  bytes.writeUIntBE(time, 0, 6);
  bytes[6] = (bytes[6]! & 0x0f) | 0x70;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** What messages that are new change about their conversations, in the order of the conversations' ids. */
export function conversationNews(
  messages: readonly (InboundMessage & { conversationId: string })[],
): ConversationNews[] {
  const news = new Map<string, ConversationNews>();
  const inTime = [...messages].sort((a, b) => a.placedAt.getTime() - b.placedAt.getTime() || (a.id < b.id ? -1 : 1));
  for (const message of inTime) {
    const before = news.get(message.conversationId);
    news.set(message.conversationId, {
      id: message.conversationId,
      accountId: message.accountId,
      contactPhone: before?.contactPhone ?? message.phone,
      userId: message.userId ?? before?.userId ?? null,
      profileName: message.profileName ?? before?.profileName ?? null,
      lastMessageId: message.id,
      lastMessageAt: message.placedAt,
      unread: (before?.unread ?? 0) + (isToBeRead(message) ? 1 : 0),
      windowExpiresAt: isOfThePerson(message)
        ? new Date(Math.max(before?.windowExpiresAt?.getTime() ?? 0, message.at.getTime() + WINDOW_MS))
        : (before?.windowExpiresAt ?? null),
    });
  }
  return [...news.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Whether a message that came in counts as unread: a thumb up asks for no answer. */
export function isToBeRead(message: { type: MessageType }): boolean {
  return isOfThePerson(message) && message.type !== 'Reaction';
}

/** Whether the person said it: the platform reports of people too, such as a new number. */
export function isOfThePerson({ type }: { type: MessageType }): boolean {
  return type !== 'System';
}
