import { idsOf, type RequestOrigin } from '../../kernel/request-context';

/** The property `requestId` of a resource. */
export const REQUEST_ID = {
  description:
    '`X-Request-Id` of the request that created it, as in the log and in error responses. Absent if not recorded.',
  example: 'c1f6d9d8-4d0c-4f0e-9a53-9a2f0a4f3b11',
};

/** The property `traceId` of a resource. */
export const TRACE_ID = {
  description:
    'Trace of that request: of its header `traceparent` or, if the service records traces, a new one. Absent if there is none.',
  example: '4bf92f3577b34da6a3ce929d0e0e4736',
};

/** The two properties of a stored resource. */
export function shownOrigin({ requestId, traceparent }: Partial<RequestOrigin>): {
  requestId?: string;
  traceId?: string;
} {
  return {
    ...(requestId && { requestId }),
    ...(traceparent && { traceId: idsOf(traceparent).traceId }),
  };
}
