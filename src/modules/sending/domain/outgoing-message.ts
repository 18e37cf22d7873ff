import type { FreeFormType } from '../../messages/domain/message';
import type { MessageContent } from '../../messages/domain/message-content';
import type { FilledTemplate } from '../../templates/domain/filled-template';

/** The content of a message: a filled template, or free-form content. */
export type OutgoingContent =
  { kind: 'template'; template: FilledTemplate } | { kind: 'freeForm'; type: FreeFormType; content: MessageContent };

/** One attempt, ready to send. */
export interface OutgoingMessage {
  /** A phone number as digits, or the platform's user id if the number is hidden. */
  to: string;
  content: OutgoingContent;
  /** Returned with every status of the message; identifies the accepted attempt. */
  callbackData: string;
  /** Called immediately before the request is sent; false makes the attempt `not_sent`. */
  canStillSend: () => boolean;
}

/** Single sends have priority: jobs leave a share of the pace free for them. */
export type SendPriority = 'single' | 'job';

/** A request to send `count` messages of a sender with a limit of `perSecond`. */
export interface PaceRequest {
  senderId: string;
  perSecond: number;
  count: number;
  use: SendPriority;
  /** Reserve nothing if the first message would wait longer than this. */
  maxWaitMs?: number;
}

/** Send times of reserved messages. */
export interface Reservation {
  /** Milliseconds until the first message. */
  waitMs: number;
  /** Milliseconds between messages, at the current pace. */
  intervalMs: number;
}
