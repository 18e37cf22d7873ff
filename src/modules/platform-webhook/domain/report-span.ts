import { requestContext } from '../../../kernel/request-context';
import { startSpan } from '../../../kernel/tracing';
import type { StatusUpdate } from '../../messages/domain/status-update';
import { readAttemptTrace } from '../../sending/domain/attempt-trace';

/** The reports of one body that was received `ms` ago. */
export interface ReceivedReports {
  statuses: readonly StatusUpdate[];
  messages: number;
  ms: number;
}

/** Received reports in their trace. */
export interface TracedReports {
  /** Absent: none. */
  traceparent?: string;
  ended: (error?: string) => void;
}

/**
 * Begins the span of a body with messages of people, or with statuses of messages whose sending has a span: it belongs to the trace of the
 * first of these and links to the others. Other bodies have none, as the platform sends several for each message.
 */
export function traceReports({ statuses, messages, ms }: ReceivedReports): TracedReports {
  const sent = new Set(statuses.flatMap(({ callbackData }) => readAttemptTrace(callbackData)?.traceparent ?? []));
  const [first, ...others] = sent;
  const span =
    first === undefined && messages === 0
      ? null
      : startSpan({
          name: 'receive reports',
          kind: 'consumer',
          parent: first,
          links: others,
          begunMsAgo: ms,
          attributes: { 'messaging.statuses': statuses.length, 'messaging.messages': messages },
        });
  const traceparent = span?.traceparent ?? requestContext().traceparent;
  return {
    ...(traceparent !== undefined && { traceparent }),
    ended: (error) => span?.end(error === undefined ? {} : { error }),
  };
}
