import { createHash } from 'node:crypto';
import type { PhoneNumber } from '../../../kernel/phone-number';
import type { MessageContent, MessageType } from './message-content';

/** The message that this one edits or revokes. */
export interface MessageChange {
  kind: 'edit' | 'revoke';
  platformMessageId: string;
}

/** An inbound message as the platform reports it, before its account is looked up. */
export interface ReportedInbound {
  phoneNumberId: string;
  platformMessageId: string;
  /** Digits; null if the number is hidden and only the user id is known. */
  phone: PhoneNumber | null;
  userId: string | null;
  /** The person's profile name on the platform. */
  profileName: string | null;
  /** The person's public username (`@mira.s`); it can change. */
  username: string | null;
  type: Exclude<MessageType, 'Template'>;
  content: MessageContent;
  /** Null for an original message. For an edit, `type` and `content` are the new ones. */
  changes: MessageChange | null;
  /** When it was written, in whole seconds; never in the future. */
  at: Date;
  /** Its position in the conversation: the platform reports whole seconds, so a new message is ordered by its arrival. */
  orderedAt: Date;
  /** The platform's timestamp in ms, the same in every repetition of a report; 0 if missing. */
  timestampMs: number;
}

/** A message from a person to an account. */
export interface InboundMessage extends Omit<ReportedInbound, 'phoneNumberId' | 'timestampMs'> {
  id: string;
  accountId: string;
  /** The sender that the person wrote to. */
  senderId: string;
  /** The trace of its report; absent: none. */
  traceparent?: string;
}

/** An inbound message with its conversation. */
export type InboundRecord = InboundMessage & { conversationId: string };

/** An own message that a person replied to. */
export interface AnsweredMessage {
  id: string;
  platformMessageId: string | null;
  reference: string | null;
  /** The template revision; null for a free-form message. */
  revisionId: string | null;
}

/** A newly recorded inbound message; `isNew` is false if it replaced an Unsupported one. */
export type RecordedInbound = InboundRecord & { isNew: boolean };

/** The largest time of a UUIDv7. */
const LARGEST_STAMP = 2 ** 48 - 1;

/**
 * The id of an inbound message: a UUIDv7 of its time whose random part is computed from the account and the platform's id.
 * The platform repeats a report for a week; every repetition has the same id.
 */
export function inboundMessageId(accountId: string, platformMessageId: string, timestampMs: number): string {
  const time = timestampMs > 0 && timestampMs <= LARGEST_STAMP ? Math.floor(timestampMs) : 0;
  const bytes = createHash('sha256').update(accountId).update(platformMessageId).digest().subarray(0, 16);
  bytes.writeUIntBE(time, 0, 6);
  bytes[6] = (bytes[6]! & 0x0f) | 0x70;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Whether an inbound message counts as unread; a reaction does not. */
export function countsAsUnread(message: { type: MessageType }): boolean {
  return isFromPerson(message) && message.type !== 'Reaction';
}

/** Whether the person wrote it; System messages are platform notices about the person, such as a new number. */
export function isFromPerson({ type }: { type: MessageType }): boolean {
  return type !== 'System';
}
