import { accepted, EngineInMemory } from '../../../../test/fakes/engine-in-memory';
import type { Answer } from '../../sending/domain/answer';

const pairThrottled: Answer = {
  kind: 'throttled',
  scope: 'pair',
  message: 'Too often.',
  platformCode: 131056,
};
const unknown: Answer = { kind: 'unknown', reason: 'no answer' };

describe('The validity of a job', () => {
  let engine: EngineInMemory;

  beforeEach(() => {
    engine = new EngineInMemory();
  });

  afterEach(async () => {
    engine.database.isUnavailable = false;
    engine.platform.answer = () => accepted();
    await engine.stop();
  });

  const inSeconds = (seconds: number) => new Date(engine.clock.now().getTime() + seconds * 1000);
  const problems = (job: string) => engine.recipients(job).map(({ problem }) => problem);
  const expired = (job: string) => problems(job).filter((problem) => problem === 'expired').length;

  it('fails recipients not sent to by then, each counted once', async () => {
    const job = await engine.addJob(400, { validUntil: inSeconds(2) });
    engine.start();
    await engine.until(() => engine.isDone(job), 4000);

    const sent = engine.platform.arrivals.length;
    expect(sent).toBeGreaterThan(100);
    expect(sent).toBeLessThan(200);
    expect(expired(job)).toBe(400 - sent);
    expect(engine.job(job)).toMatchObject({ status: 'Completed', successfullySent: sent, failed: 400 - sent });
    expect(Math.max(...engine.platform.arrivals.map(({ at }) => at))).toBeLessThanOrEqual(2100);
    expect(engine.processes[0]!.telemetry).toEqual(['taken 1', 'ended']);
  });

  it('fails thousands in batches, while another job of the sender continues', async () => {
    const late = await engine.addJob(5000, { validUntil: inSeconds(0) });
    const other = await engine.addJob(80);
    engine.start();
    await engine.until(() => engine.isDone(late) && engine.isDone(other), 3000);

    expect(expired(late)).toBe(5000);
    expect(engine.job(other)).toMatchObject({ successfullySent: 80 });
    expect(engine.platform.arrivals).toHaveLength(80);
  });

  it('also fails recipients that wait for a retry', async () => {
    const job = await engine.addJob(3, { validUntil: inSeconds(3) });
    engine.platform.answer = (to) => (to.endsWith('2') ? pairThrottled : accepted());
    engine.start();
    await engine.until(() => engine.isDone(job), 5000);

    expect(problems(job)).toEqual([null, 'expired', null]);
    expect(engine.job(job)).toMatchObject({ successfullySent: 2, failed: 1 });
  });

  it('does not change recipients in flight: the answer settles them, and an unknown outcome has its grace time', async () => {
    const job = await engine.addJob(2, { validUntil: inSeconds(1) });
    engine.platform.latencyMs = 3000;
    engine.platform.answer = (to) => (to.endsWith('2') ? unknown : accepted());
    engine.start();
    await engine.until(() => engine.job(job).unknownInGrace === 1, 5000);

    expect(engine.recipients(job).map(({ outcome }) => outcome)).toEqual(['Sent', 'Unknown']);
    expect(engine.job(job)).toMatchObject({ completedAt: null, successfullySent: 1, failed: 0 });
    await engine.advance(2000);
    expect(problems(job)).toEqual([null, null]);
  });

  it('is not applied while the job is paused, but as soon as it is resumed', async () => {
    const job = await engine.addJob(10, { status: 'Paused', validUntil: inSeconds(1) });
    engine.start();
    await engine.advance(5000);
    expect(engine.job(job)).toMatchObject({ status: 'Paused', failed: 0, cursor: 1 });

    await engine.tables.change('jobs', { id: job }, { status: 'Queued' });
    await engine.until(() => engine.isDone(job), 3000);
    expect(expired(job)).toBe(10);
    expect(engine.platform.arrivals).toEqual([]);
  });

  it('counts no recipient twice if the answer to a batch is lost', async () => {
    const job = await engine.addJob(3000, { validUntil: inSeconds(0) });
    engine.database.fail('FAIL_OPEN', 'answer lost');
    engine.start();
    await engine.until(() => engine.isDone(job), 5000);

    expect(engine.job(job)).toMatchObject({ status: 'Completed', failed: 3000, unknown: 0, successfullySent: 0 });
    expect(engine.processes[0]!.telemetry).not.toContain('repaired');
  });

  it('ends even if no process runs at the time', async () => {
    const job = await engine.addJob(20, { validUntil: inSeconds(60) });
    await engine.advance(120_000);
    engine.start();
    await engine.until(() => engine.isDone(job), 3000);
    expect(expired(job)).toBe(20);
  });
});
