import { createHash } from 'node:crypto';
import type { PhoneNumber } from '../../../kernel/phone-number';
import type { MessageContent, MessageType } from './message-content';

/** The earlier message that a message edits or revokes. */
export interface MessageChange {
  kind: 'edit' | 'revoke';
  platformMessageId: string;
}

/** An inbound message as the platform reports it, before its account is looked up. */
export interface ReportedInbound {
  phoneNumberId: string;
  platformMessageId: string;
  /** Digits; null for a person who hides the number and has a user id. */
  phone: PhoneNumber | null;
  userId: string | null;
  /** The name that the person chose on the platform. */
  profileName: string | null;
  /** The public name that the person chose in place of a number (`@mira.s`); it can change. */
  username: string | null;
  type: Exclude<MessageType, 'Template'>;
  content: MessageContent;
  /** Null for a message of its own. `type` and `content` of an edit are the new ones. */
  changes: MessageChange | null;
  /** When it was written, in whole seconds; never after now. */
  at: Date;
  /** Its position in the conversation: the platform reports whole seconds, so a new message is ordered by its arrival. */
  orderedAt: Date;
  /** `at` as the platform writes it, in ms: the same in every repetition of a report. 0 where it is missing. */
  timestampMs: number;
}

/** A message of a person to an account. */
export interface InboundMessage extends Omit<ReportedInbound, 'phoneNumberId' | 'timestampMs'> {
  id: string;
  accountId: string;
}

/** An inbound message as it is recorded: with the conversation that it belongs to. */
export type InboundRecord = InboundMessage & { conversationId: string };

/** An inbound message that was recorded now; `isNew` is false if it replaced one that could not be read. */
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

/** Whether the person wrote it; a System message is a report of the platform about the person, such as a new number. */
export function isFromPerson({ type }: { type: MessageType }): boolean {
  return type !== 'System';
}
