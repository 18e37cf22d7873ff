import { withoutSpans } from '../../../kernel/request-context';
import { isTracing, type SpanPace, startSpan } from '../../../kernel/tracing';
import type { EventTrace } from './delivery-store.port';
import type { PostedBody } from './post-body';

/** A delivery attempt in the trace of its events. */
export interface TracedDelivery {
  /** Sent as a header; absent: the events have no trace. */
  traceparent?: string;
  ended: (posted: PostedBody) => void;
}

/** What is known of an attempt when it begins. */
export interface DeliveryFacts {
  accountId: string;
  endpointId: string;
  attempt: number;
  now: number;
}

/**
 * Begins the span of an attempt in the trace of the request that caused its events. Of events of a job's messages at most one attempt a
 * second and endpoint has a span: a job has millions.
 */
export function traceDelivery(
  trace: EventTrace | null,
  { accountId, endpointId, attempt, now }: DeliveryFacts,
  pace: SpanPace,
): TracedDelivery {
  if (trace === null) return { ended: () => undefined };
  const { traceparent, isFrequent } = trace;
  const isRecorded = isTracing() && (!isFrequent || pace.admits(now));
  if (!isRecorded) {
    return { traceparent: isTracing() ? withoutSpans(traceparent) : traceparent, ended: () => undefined };
  }
  const span = startSpan({
    name: 'deliver event',
    kind: 'client',
    parent: traceparent,
    attributes: {
      'messaging.account_id': accountId,
      'messaging.webhook_endpoint_id': endpointId,
      'messaging.attempt': attempt,
    },
  });
  return {
    traceparent: span?.traceparent ?? traceparent,
    ended: ({ arrived, httpStatus }) =>
      span?.end({
        ...(httpStatus !== null && { attributes: { 'http.response.status_code': httpStatus } }),
        ...(!arrived && { error: httpStatus === null ? 'no_answer' : String(httpStatus) }),
      }),
  };
}
