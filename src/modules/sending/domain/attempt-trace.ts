import { isSampled } from '../../../kernel/request-context';
import { isTracing } from '../../../kernel/tracing';

/** Sent with every attempt and returned with its statuses: the message, and the recipient of a job. */
export interface AttemptTrace {
  messageId: string;
  attempt: number;
  /** Null for a single send. */
  recipient: { jobId: string; position: number } | null;
  /** The span that sent it; absent: none is recorded. */
  traceparent?: string;
}

const UUID = '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}';
const SPAN = '00-[0-9a-f]{32}-[0-9a-f]{16}-01';
const FORM = new RegExp(`^(${UUID})\\.(\\d{1,10})(?:\\.(${UUID})\\.(\\d{1,10}))?(?:\\.(${SPAN}))?$`);
/** Largest attempt or position in the database. */
const LARGEST_NUMBER = 2 ** 31 - 1;

/** Parses `<messageId>.<attempt>` or `<messageId>.<attempt>.<jobId>.<position>`, with `.<traceparent>` if a span is recorded; null: foreign data. */
export function readAttemptTrace(text: string | null): AttemptTrace | null {
  const [, messageId, attemptText, jobId, positionText, traceparent] = FORM.exec(text ?? '') ?? [];
  const attempt = Number(attemptText);
  if (messageId === undefined || attempt < 1 || attempt > LARGEST_NUMBER) return null;
  if (jobId === undefined) return { messageId, attempt, recipient: null, traceparent };
  const position = Number(positionText);
  if (position < 1 || position > LARGEST_NUMBER) return null;
  return { messageId, attempt, recipient: { jobId, position }, traceparent };
}

/** The callback data of an attempt that is sent within `traceparent`, if its span is recorded. */
export function withTrace(callbackData: string, traceparent: string | undefined): string {
  return isTracing() && traceparent !== undefined && isSampled(traceparent)
    ? `${callbackData}.${traceparent}`
    : callbackData;
}
