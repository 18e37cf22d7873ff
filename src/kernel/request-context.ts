import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

/** The origin of work: the request that started it, and its place in a trace. */
export interface RequestContext {
  /** As in X-Request-Id; absent outside a request. */
  requestId?: string;
  /** W3C trace context, as in the header `traceparent`; absent if there is none. */
  traceparent?: string;
}

/** Who made a stored resource: the id and the trace of its request; null if not recorded. */
export interface RequestOrigin {
  requestId: string | null;
  traceparent: string | null;
}

const NONE: RequestContext = {};
const current = new AsyncLocalStorage<RequestContext>();

/** The context of the running work. */
export function requestContext(): RequestContext {
  return current.getStore() ?? NONE;
}

/** The same for a resource to be stored. */
export function requestOrigin(): RequestOrigin {
  const { requestId, traceparent } = requestContext();
  return { requestId: requestId ?? null, traceparent: traceparent ?? null };
}

/** Runs `work` so that everything it starts has this context. */
export function inContext<Result>(context: RequestContext, work: () => Result): Result {
  return current.run(context, work);
}

const VALID = /^(?!ff)[0-9a-f]{2}-((?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const SAMPLED = 1;

/** A received `traceparent` in version 00, with the flag `sampled` only; null if it is invalid. */
export function parseTraceparent(header: unknown): string | null {
  const [, ids, flags = '', rest] = (typeof header === 'string' && VALID.exec(header)) || [];
  const isExtended = rest !== undefined && (header as string).startsWith('00');
  if (ids === undefined || isExtended) return null;
  return `00-${ids}-0${parseInt(flags, 16) & SAMPLED}`;
}

/** The trace id and the span id of a `traceparent`. */
export function idsOf(traceparent: string): { traceId: string; spanId: string } {
  return { traceId: traceparent.slice(3, 35), spanId: traceparent.slice(36, 52) };
}

/** Whether the spans of this trace are recorded. */
export function isSampled(traceparent: string): boolean {
  return traceparent.endsWith('1');
}

/** A new trace without recorded spans. */
export function newUnrecordedTrace(): string {
  const ids = randomBytes(24).toString('hex');
  return `00-${ids.slice(0, 32)}-${ids.slice(32)}-00`;
}

/** The same place in the trace, for work whose spans are not recorded. */
export function withoutSpans(traceparent: string): string {
  return `${traceparent.slice(0, -1)}0`;
}
