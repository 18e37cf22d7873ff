import { newUnrecordedTrace, withoutSpans } from '../../../kernel/request-context';
import { type Span, SpanPace, type SpanStart, Tracer, traceWith } from '../../../kernel/tracing';
import { traceClaim } from './claim-traces';
import type { LaneJob } from './lane-job-store.port';

const REQUEST = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;

class RecordedStarts extends Tracer {
  readonly started: SpanStart[] = [];

  start(span: SpanStart): Span {
    this.started.push(span);
    return { traceparent: `${newUnrecordedTrace().slice(0, -1)}1`, end: () => undefined };
  }
}

describe('Traces of claims', () => {
  const job = (traceparent: string | null) => ({ id: 'job', accountId: 'account', traceparent }) as LaneJob;
  const claim = (traceparent: string | null, recipients: number, now: number) => ({
    ...{ job: job(traceparent), senderId: 'sender', recipients, now },
    ...({ kind: 'first', begunAt: now - 10 } as const),
  });
  let tracer: RecordedStarts;

  beforeEach(() => traceWith((tracer = new RecordedStarts())));
  afterEach(() => traceWith(null));

  it('record one claim of a job per second, and its first call', () => {
    const pace = new SpanPace();
    const claims = Array.from({ length: 100 }, (_, n) => traceClaim(claim(REQUEST, 50, n * 50), pace));
    expect(tracer.started).toHaveLength(5);
    expect(tracer.started[0]).toMatchObject({ parent: null, links: [REQUEST], begunMsAgo: 10 });
    const recorded = claims.map((traces) => traces.filter((trace) => trace.endsWith('-01')).length);
    expect(recorded.filter((count) => count > 0)).toEqual([1, 1, 1, 1, 1]);
    expect(claims.map((traces) => traces.length)).toEqual(Array(100).fill(50));
    expect(claims[1]).toEqual(Array(50).fill(withoutSpans(REQUEST)));
    expect(claims[0]!.slice(1)).toEqual(Array(49).fill(withoutSpans(claims[0]![0]!)));
  });

  it('record nothing for an empty claim, which the next one replaces', () => {
    const pace = new SpanPace();
    expect(traceClaim(claim(REQUEST, 0, 0), pace)).toEqual([]);
    expect(traceClaim(claim(null, 1, 1), pace)).toEqual([expect.stringMatching(/-01$/)]);
    expect(traceClaim(claim(null, 1, 2), pace)).toEqual([expect.stringMatching(/-00$/)]);
    expect(tracer.started).toMatchObject([{ links: [] }]);
  });

  it('are those of the request in a process that records none', () => {
    traceWith(null);
    expect(traceClaim(claim(REQUEST, 2, 0), new SpanPace())).toEqual([REQUEST, REQUEST]);
    expect(traceClaim(claim(null, 2, 0), new SpanPace())).toEqual([]);
  });
});
