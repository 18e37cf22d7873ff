import { requestContext } from '../../kernel/request-context';
import { isTracing, type Span, type SpanEnd, startSpan } from '../../kernel/tracing';
import type { CloudApiReply } from './cloud-api-reply';

/** A call in its trace. */
export interface TracedCall {
  /** Sent with the call. */
  headers: { traceparent?: string };
  /** Ends the span with the result. */
  ended: (reply: CloudApiReply) => void;
}

/** Begins the span of a call to the platform, if this process records any; the call carries its context or that of its request. */
export function traceCall(method: string, path: string): TracedCall {
  const span = beginCall(method, path);
  const traceparent = span?.traceparent ?? requestContext().traceparent;
  return {
    headers: traceparent === undefined ? {} : { traceparent },
    ended: (reply) => span?.end(resultOf(reply)),
  };
}

/** Begins the span of a call to the platform; null if this process records none. */
export function beginCall(method: string, path: string): Span | null {
  if (!isTracing()) return null;
  const template = templateOf(path);
  return startSpan({
    name: `platform ${method} ${template}`,
    kind: 'client',
    attributes: { 'http.request.method': method, 'url.template': template },
  });
}

/** The path without ids, values and the query. */
function templateOf(path: string): string {
  const segments = path.split('?', 1)[0]!.split('/');
  return segments.map((segment) => (/^[a-z_]*$/.test(segment) ? segment : '{id}')).join('/');
}

function resultOf(reply: CloudApiReply): SpanEnd {
  switch (reply.kind) {
    case 'answer':
      return { attributes: { 'http.response.status_code': reply.status } };
    case 'refusal':
      return {
        attributes: { 'http.response.status_code': reply.status, 'messaging.platform_code': reply.error.code },
        error: reply.error.problem,
      };
    default:
      return { error: reply.kind };
  }
}
