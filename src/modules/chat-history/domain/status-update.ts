import type { MessageProblem, MessageStatus } from './message';

/** What the platform can say of a message that it accepted. Each of them proves the acceptance. */
export type ReportedStatus = 'sent' | 'delivered' | 'read' | 'failed';

/** One report of the platform on one message. */
export interface StatusUpdate {
  accountId: string;
  senderId: string;
  platformMessageId: string;
  status: ReportedStatus;
  /** When it happened, in whole seconds; never after now. */
  at: Date;
  /** What went out with the message, `<messageId>.<attempt>…`; null where the platform gave nothing back. */
  callbackData: string | null;
  /** Why the message failed; null for every other status. */
  problem: MessageProblem | null;
  /** The reason is none of this message's own: every further message of its job would fail for it. */
  stopsJob: boolean;
}

/** A message as far as reports change it. */
export interface ReportedMessage {
  id: string;
  accountId: string;
  jobId: string | null;
  platformMessageId: string | null;
  status: MessageStatus;
  problem: MessageProblem | null;
  /** Null while the platform is not known to have accepted it. */
  sentAt: Date | null;
  deliveredAt: Date | null;
  readAt: Date | null;
  failedAt: Date | null;
}

/** A message whose status a report has changed. */
export interface StatusChange {
  messageId: string;
  accountId: string;
  jobId: string | null;
  before: MessageStatus;
  after: MessageStatus;
  /** Why it failed; null where it did not. */
  problem: MessageProblem | null;
  /** When it failed, as the platform says; for other changes, when they were heard of. */
  at: Date;
  /** Why no further message of its job should leave; null where nothing speaks against it. */
  stop: MessageProblem | null;
}

/** Of two reports the later one of this list holds, whichever came first: a failure is final unless the message arrived. */
const RANKS: readonly MessageStatus[] = ['Sent', 'Failed', 'Delivered', 'Read'];

/**
 * The message after a report, or null when the report changes nothing. Repeated reports and reports in any order lead to
 * the same state. What the platform is not known to have accepted is not touched: its acceptance comes first.
 */
export function reported(message: ReportedMessage, update: StatusUpdate): ReportedMessage | null {
  if (message.sentAt === null) return null;
  const after = stateAfter(message, { ...update, at: notBefore(message.sentAt, update.at) });
  const isSame = (['status', 'deliveredAt', 'readAt', 'failedAt'] as const).every(
    (field) => after[field]?.valueOf() === message[field]?.valueOf(),
  );
  return isSame ? null : after;
}

function stateAfter(message: ReportedMessage, { status, at, problem }: StatusUpdate): ReportedMessage {
  switch (status) {
    case 'sent':
      return message;
    case 'failed':
      if (rankOf(message.status) >= rankOf('Failed')) return message;
      return { ...message, status: 'Failed', problem, failedAt: at };
    case 'delivered':
      return { ...arrived(message, 'Delivered'), deliveredAt: earlier(message.deliveredAt, at) };
    case 'read':
      return { ...arrived(message, 'Read'), readAt: earlier(message.readAt, at) };
  }
}

function arrived(message: ReportedMessage, status: 'Delivered' | 'Read'): ReportedMessage {
  const highest = rankOf(message.status) > rankOf(status) ? message.status : status;
  return { ...message, status: highest, problem: null, failedAt: null };
}

function rankOf(status: MessageStatus): number {
  return RANKS.indexOf(status);
}

/** Reports tell whole seconds: of the same second as the sending, they must not seem to come before it. */
function notBefore(sentAt: Date, at: Date): Date {
  const isSameSecond = Math.floor(sentAt.getTime() / 1000) === Math.floor(at.getTime() / 1000);
  return isSameSecond && at < sentAt ? sentAt : at;
}

function earlier(known: Date | null, at: Date): Date {
  return known !== null && known <= at ? known : at;
}
