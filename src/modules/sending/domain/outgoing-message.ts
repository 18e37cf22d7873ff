import type { FreeFormType } from '../../messages/domain/message';
import type { MessageContent } from '../../messages/domain/message-content';
import type { FilledTemplate } from '../../templates/domain/sendable-template';

/** What a message says: a template with its values, or something written freely. */
export type OutgoingContent =
  { kind: 'template'; template: FilledTemplate } | { kind: 'freeForm'; type: FreeFormType; content: MessageContent };

/** One attempt, ready for the wire. */
export interface OutgoingMessage {
  /** A phone number as digits, or the platform's user id of a person who hides it. */
  to: string;
  content: OutgoingContent;
  /** Comes back with every status of the message: it says which attempt was accepted. */
  callbackData: string;
  /** Asked in the instant before the request leaves; false makes the attempt `not_sent`. */
  canStillSend: () => boolean;
}

/** Who wants to send: single sends go first, jobs leave a share of the pace free for them. */
export type SendPriority = 'single' | 'job';

/** A wish to send `count` messages of a sender that may send `perSecond` in a second. */
export interface PaceRequest {
  senderId: string;
  perSecond: number;
  count: number;
  use: SendPriority;
  /** Reserve nothing when the first would have to wait longer than this. */
  maxWaitMs?: number;
}

/** When reserved messages may leave. */
export interface Reservation {
  /** Until the first of them, in milliseconds. */
  waitMs: number;
  /** From each to the next, in milliseconds, at the pace as it is now. */
  intervalMs: number;
}
