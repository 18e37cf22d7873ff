import type { PhoneNumber } from '../../../kernel/phone-number';
import type { EventType } from '../../events/domain/event';
import type { MessageProblem, MessageStatus, Pricing } from './message';

/** The statuses that the platform reports. Each proves that it accepted the message. */
export type ReportedStatus = 'sent' | 'delivered' | 'read' | 'failed';

/** Scope of a failure: every further message of the job, this message's content, or only this recipient. */
export type FailureScope = 'job' | 'message' | 'recipient';

/** One status that the platform reports for one message. */
export interface StatusUpdate {
  accountId: string;
  senderId: string;
  platformMessageId: string;
  status: ReportedStatus;
  /** When it happened, in whole seconds; never in the future. */
  at: Date;
  /** The data sent with the message, `<messageId>.<attempt>…`; null if the platform did not return it. */
  callbackData: string | null;
  /** The recipient if the platform reports both phone number and user id; else null. */
  recipient: { phone: PhoneNumber; userId: string } | null;
  /** The pricing, if reported. */
  pricing?: Pricing | null;
  /** Why the message failed; null for every other status. */
  problem: MessageProblem | null;
  /** What the failure applies to; null for every other status. */
  scope: FailureScope | null;
}

/** The message fields that statuses change. */
export interface ReportedMessage {
  id: string;
  accountId: string;
  jobId: string | null;
  platformMessageId: string | null;
  status: MessageStatus;
  problem: MessageProblem | null;
  /** Null until the platform is known to have accepted it. */
  sentAt: Date | null;
  deliveredAt: Date | null;
  readAt: Date | null;
  failedAt: Date | null;
  pricing?: Pricing | null;
}

/** A message after status updates, its status before, and the resulting event types. */
export interface ReportedChange {
  before: MessageStatus;
  message: ReportedMessage;
  events: readonly EventType[];
}

/** A change of a message's status. */
export interface StatusChange {
  messageId: string;
  accountId: string;
  jobId: string | null;
  before: MessageStatus;
  after: MessageStatus;
  /** Why it failed; null for other changes. */
  problem: MessageProblem | null;
  /** When it failed, by the platform's clock; for other changes, when they were received. */
  at: Date;
  /** What the failure applies to; null for other changes. */
  scope: FailureScope | null;
}

/** The later status in this list wins, in any order of arrival: a failure is final unless the message was delivered. */
const RANKS: readonly MessageStatus[] = ['Sent', 'Undelivered', 'Delivered', 'Read'];

/**
 * The message after a status, or null if the status changes nothing. Repetition and order do not affect the final
 * state. A message not recorded as accepted does not change: its acceptance is recorded first.
 */
export function reported(message: ReportedMessage, update: StatusUpdate): ReportedMessage | null {
  if (message.sentAt === null) return null;
  const after = stateAfter(message, { ...update, at: notBefore(message.sentAt, update.at) });
  const isSame = (['status', 'deliveredAt', 'readAt', 'failedAt'] as const).every(
    (field) => after[field]?.valueOf() === message[field]?.valueOf(),
  );
  return isSame && after.pricing === message.pricing ? null : after;
}

/** The events of a change: one per new fact, even if one batch of statuses brought several. */
export function eventsOf(before: ReportedMessage, after: ReportedMessage): EventType[] {
  const events: EventType[] = [];
  if (before.deliveredAt === null && after.deliveredAt !== null) events.push('message.delivered');
  if (before.readAt === null && after.readAt !== null) events.push('message.read');
  if (before.status !== after.status && after.status === 'Undelivered') events.push('message.undelivered');
  return events;
}

function stateAfter(message: ReportedMessage, { status, at, problem, pricing }: StatusUpdate): ReportedMessage {
  switch (status) {
    case 'sent':
      return message;
    case 'failed':
      if (rankOf(message.status) >= rankOf('Undelivered')) return message;
      return { ...message, status: 'Undelivered', problem, failedAt: at };
    case 'delivered':
      return { ...arrived(message, 'Delivered', pricing), deliveredAt: earlier(message.deliveredAt, at) };
    case 'read':
      return { ...arrived(message, 'Read', pricing), readAt: earlier(message.readAt, at) };
  }
}

/** The platform charges for delivered messages: pricing reported with `sent` is ignored. */
function arrived(
  message: ReportedMessage,
  status: 'Delivered' | 'Read',
  reportedPricing?: Pricing | null,
): ReportedMessage {
  const highest = rankOf(message.status) > rankOf(status) ? message.status : status;
  const pricing = message.pricing ?? reportedPricing ?? message.pricing;
  return { ...message, status: highest, problem: null, failedAt: null, pricing };
}

function rankOf(status: MessageStatus): number {
  return RANKS.indexOf(status);
}

/** Statuses have whole seconds: one within the same second as sending must not appear earlier. */
function notBefore(sentAt: Date, at: Date): Date {
  const isSameSecond = Math.floor(sentAt.getTime() / 1000) === Math.floor(at.getTime() / 1000);
  return isSameSecond && at < sentAt ? sentAt : at;
}

function earlier(known: Date | null, at: Date): Date {
  return known !== null && known <= at ? known : at;
}
