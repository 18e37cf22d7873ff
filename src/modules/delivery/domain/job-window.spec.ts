import { accepted, EngineInMemory } from '../../../../test/fakes/engine-in-memory';
import { windowColumns } from '../../../../test/fakes/lane-rows';
import type { Answer } from '../../sending/domain/answer';

const MINUTE_MS = 60_000;
const pairThrottled: Answer = { kind: 'throttled', scope: 'pair', message: 'Too often.', platformCode: 131056 };

describe('The send window of a job', () => {
  let engine: EngineInMemory;

  beforeEach(() => {
    engine = new EngineInMemory();
  });

  afterEach(async () => {
    engine.platform.answer = () => accepted();
    await engine.stop();
  });

  /** A window that opens and closes this many minutes after the current full minute. */
  function window(opens: number, closes: number): ReturnType<typeof windowColumns> {
    const minute = Math.floor(engine.clock.now().getTime() / MINUTE_MS) * MINUTE_MS;
    const text = (ahead: number): string => new Date(minute + ahead * MINUTE_MS).toISOString().slice(11, 16);
    return windowColumns({ from: text(opens), until: text(closes), timeZone: 'UTC', days: [1, 2, 3, 4, 5, 6, 7] });
  }
  const toTheMinute = () => MINUTE_MS - (engine.clock.now().getTime() % MINUTE_MS);

  it('delays sending until it opens', async () => {
    const job = await engine.addJob(50, window(2, 10));
    engine.start();
    await engine.advance(toTheMinute() + MINUTE_MS - 1000);
    expect(engine.platform.arrivals).toEqual([]);
    expect(engine.job(job)).toMatchObject({ status: 'Queued', cursor: 1 });

    await engine.advance(3000);
    expect(engine.isDone(job)).toBe(true);
    expect(engine.job(job)).toMatchObject({ successfullySent: 50 });
  });

  it('stops a running job when it closes, and releases the lane until the next day', async () => {
    const minute = toTheMinute();
    const job = await engine.addJob(80 * 10, window(-1, 1));
    await engine.advance(minute - 3000);
    const { telemetry } = engine.start();
    await engine.advance(10_000);

    const sent = engine.platform.arrivals.length;
    expect(sent).toBeGreaterThan(80 * 2);
    expect(sent).toBeLessThan(80 * 3.2);
    expect(engine.job(job)).toMatchObject({ status: 'Processing', successfullySent: sent });
    expect(telemetry).toEqual(['taken 1', 'closed', 'left']);
  });

  it('also delays later attempts, but no other job of the sender', async () => {
    const minute = toTheMinute();
    const job = await engine.addJob(1, window(-1, 1));
    let answers = 0;
    engine.platform.answer = () => (answers++ === 0 ? pairThrottled : accepted());
    await engine.advance(minute - 1000);
    engine.start();
    await engine.advance(800);
    expect(engine.platform.arrivals).toHaveLength(1);
    const other = await engine.addJob(20);
    await engine.advance(60_000);

    expect(engine.isDone(other)).toBe(true);
    expect(engine.platform.arrivals).toHaveLength(21);
    expect(engine.recipients(job)).toMatchObject([{ outcome: null, retryAt: expect.any(Date) as Date }]);
  });

  it('does not delay the completion of a job with all recipients sent to', async () => {
    const minute = toTheMinute();
    engine.platform.latencyMs = 3000;
    const job = await engine.addJob(2, window(-1, 1));
    await engine.advance(minute - 2000);
    engine.start();
    await engine.advance(5000);
    expect(engine.job(job)).toMatchObject({ status: 'Completed', successfullySent: 2 });
  });
});
