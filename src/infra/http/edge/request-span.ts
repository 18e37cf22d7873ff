import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseTraceparent } from '../../../kernel/request-context';
import { startSpan } from '../../../kernel/tracing';
import { withoutPrivateText } from '../../logging/private-text';
import { routeOf } from '../../metrics/http-metrics';
import type { EdgeRequest } from '../api-request';
import { API_PREFIX } from '../api-prefix';

const API = new RegExp(`^/${API_PREFIX}(/|$)`);

/** A request in its trace. */
export interface TracedRequest {
  /** The context of the work for the request: its span or, without one, the received `traceparent`; absent: neither. */
  traceparent?: string;
  ended: (request: EdgeRequest, response: ServerResponse) => void;
}

/**
 * Begins the span of a request to the API; others have none: health and metrics are polled, and reports of the platform arrive several
 * times per message (WebhookIntake).
 */
export function traceRequest({ method = '', headers }: IncomingMessage, path: string): TracedRequest {
  const received = parseTraceparent(headers.traceparent);
  const span = API.test(path) ? startSpan({ name: method, kind: 'server', parent: received }) : null;
  const traceparent = span?.traceparent ?? received;
  return {
    ...(traceparent !== null && { traceparent }),
    ended: (request, response) => {
      if (!span) return;
      const { method: known, route } = routeOf(request);
      const { requestId, messageId, errorCode, caller } = request;
      const status = response.statusCode;
      span.end({
        name: `${known} ${route}`,
        attributes: {
          'http.request.method': known,
          'http.route': route,
          'http.response.status_code': status,
          // Clients choose it.
          'messaging.request_id': withoutPrivateText(requestId),
          ...(caller && { 'messaging.account_id': caller.accountId }),
          ...(messageId !== undefined && { 'messaging.message.id': messageId }),
          ...(errorCode !== undefined && { 'messaging.error_code': errorCode }),
        },
        ...(status >= 500 && { error: errorCode ?? String(status) }),
        ...(!response.writableFinished && request.isStream !== true && { error: 'aborted' }),
      });
    },
  };
}
