import { requestContext } from './request-context';

/** Values of a span: names, kinds, counts and ids, never contents, people or secrets. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** One step of work to record. */
export interface SpanStart {
  /** Has few different values. */
  name: string;
  kind: 'server' | 'client' | 'consumer';
  /** Null: it begins a trace; undefined: that of the current context. */
  parent?: string | null;
  /** Spans that caused it, beside the parent. */
  links?: readonly string[];
  attributes?: SpanAttributes;
  /** Milliseconds since it began; 0 by default. */
  begunMsAgo?: number;
}

/** The end of a step. */
export interface SpanEnd {
  /** Replaces the first name. */
  name?: string;
  attributes?: SpanAttributes;
  /** Why it failed, as a short code; absent: it did not. */
  error?: string;
}

/** A step that has begun. */
export interface Span {
  /** The context of the work inside it. */
  readonly traceparent: string;
  end(end?: SpanEnd): void;
}

/** Records spans. */
export abstract class Tracer {
  /** Without a parent, the span begins a trace. */
  abstract start(span: SpanStart): Span;
}

let tracer: Tracer | null = null;

/** Records the spans of this process from now on; null: none. */
export function traceWith(used: Tracer | null): void {
  tracer = used;
}

/** Whether this process records spans. */
export function isTracing(): boolean {
  return tracer !== null;
}

/** Begins a span; null if the process records none. */
export function startSpan(span: SpanStart): Span | null {
  if (tracer === null) return null;
  const { parent = requestContext().traceparent ?? null } = span;
  return tracer.start({ ...span, parent });
}

const PACED_MS = 1000;

/** Limits the spans of work that happens thousands of times a second to one a second. */
export class SpanPace {
  private nextAt = -Infinity;

  /** Whether work at `now`, in monotonic milliseconds, gets a span. */
  admits(now: number): boolean {
    if (now < this.nextAt) return false;
    this.nextAt = now + PACED_MS;
    return true;
  }
}
