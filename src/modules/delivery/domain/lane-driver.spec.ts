import { phoneAt } from '../../../../test/support/sending-tables';
import { accepted, EngineInMemory, type EngineProcess } from '../../../../test/fakes/engine-in-memory';
import type { Answer } from '../../sending/domain/answer';

const throttled: Answer = { kind: 'throttled', scope: 'pace', message: 'Slower.', platformCode: 130429 };

describe('The driver of lanes', () => {
  let engine: EngineInMemory;

  beforeEach(() => {
    engine = new EngineInMemory();
  });

  afterEach(async () => {
    engine.database.isUnavailable = false;
    for (const process of engine.processes) process.frozen = false;
    await engine.stop();
  });

  function expectDone(job: string, sent: number, failed = 0): void {
    expect(engine.job(job)).toMatchObject({ status: 'Completed', successfullySent: sent, failed, unknownInGrace: 0 });
    const rows = engine.recipients(job).filter(({ outcome }) => outcome === 'Sent');
    expect(rows).toHaveLength(sent);
  }

  function mostSentToOne(): number {
    const times = new Map<string, number>();
    for (const { to } of engine.platform.arrivals) times.set(to, (times.get(to) ?? 0) + 1);
    return Math.max(...times.values());
  }

  function arrivals(): number {
    return engine.platform.arrivals.length;
  }

  it('finds work without a wake-up within 2 s', async () => {
    engine.start();
    await engine.advance(5000);
    const job = await engine.addJob(1);

    expect(await engine.until(() => engine.isDone(job), 3000)).toBeLessThan(2000);
  });

  it('starts immediately on a wake-up, also for a running lane', async () => {
    const process = engine.start();
    const first = await engine.addJob(1);
    process.queue.wake(engine.tables.senderId);
    expect(await engine.until(() => arrivals() === 1, 1000)).toBeLessThan(150);

    await engine.until(() => engine.isDone(first), 2000);
    await engine.addJob(1);
    process.queue.wake(engine.tables.senderId);
    expect(await engine.until(() => arrivals() === 2, 1000)).toBeLessThan(150);
  });

  it('runs a lane in only one of several processes', async () => {
    const job = await engine.addJob(150);
    const processes = ['first', 'second', 'third'].map((owner) => engine.start(owner));
    await engine.until(() => engine.isDone(job), 6000);

    expectDone(job, 150);
    expect(mostSentToOne()).toBe(1);
    expect(processes.flatMap(({ telemetry }) => telemetry.filter((line) => line.startsWith('taken')))).toEqual([
      'taken 1',
    ]);
  });

  it('stops cleanly: no outcome stays unknown, and the next process continues without waiting for a lease', async () => {
    const job = await engine.addJob(200);
    engine.platform.latencyMs = 700;
    const process = engine.start('first');
    await engine.until(() => arrivals() >= 100, 4000);
    let stopped = false;
    void process.driver.stop().then(() => (stopped = true));
    const taken = arrivals();
    await engine.until(() => stopped, 3000);
    expect(arrivals() - taken).toBeLessThanOrEqual(4);
    expect(engine.job(job)).toMatchObject({ unknown: 0, successfullySent: engine.job(job).cursor - 1 });
    expect(engine.job(job).settledBelow).toBe(engine.job(job).cursor);

    engine.start('second');
    await engine.until(() => engine.isDone(job), 5000);
    expectDone(job, 200);
    expect(mostSentToOne()).toBe(1);
  });

  it('does not exceed its maximum number of lanes when many are offered at once', async () => {
    const process = engine.start();
    for (let n = 0; n < 15; n++) process.driver.offer(`sender ${n}`);
    await engine.advance(100);

    expect(process.driver.state.lanes).toBe(10);
  });

  it('does not delay other work for thousands of opted-out recipients', async () => {
    await engine.addJob(2000);
    for (let position = 1; position <= 2000; position++) await engine.tables.optOut(phoneAt(position));
    const { clock } = engine.start();
    engine.database.delay = () => clock.sleep(3);
    await engine.until(() => engine.database.tables.jobs[0]!.skipped > 0, 3000);
    await engine.addSingle('4915100000000');
    await engine.until(() => engine.platform.arrivalsOf('4915100000000').length > 0, 1000);
  });

  it('stops immediately while it waits for a slow pace, and sends nothing more', async () => {
    engine.sender = { ...engine.sender, messagesPerSecond: 1 };
    await engine.addJob(50);
    const process = engine.start();
    await engine.until(() => arrivals() === 3, 6000);
    await engine.advance(300);
    let stopped = false;
    void process.driver.stop().then(() => (stopped = true));

    expect(await engine.until(() => stopped, 3000)).toBeLessThan(200);
    expect(arrivals()).toBe(3);
  });

  it('takes over from a frozen process within 10 s, and sends nothing twice', async () => {
    const job = await engine.addJob(200);
    engine.platform.latencyMs = 300;
    const first = engine.start('first');
    await engine.until(() => arrivals() >= 100, 4000);
    first.frozen = true;
    engine.start('second');
    await engine.until(() => arrivals() > 110, 10_000);
    await engine.until(() => engine.job(job).cursor === 201, 10_000);
    const unknown = engine.job(job).unknown;
    expect(unknown).toBeGreaterThan(0);
    expect(unknown).toBeLessThanOrEqual(8 + 30);

    first.frozen = false;
    await engine.until(() => engine.isDone(job), 5000);
    // The answers it received before it froze are recorded when it continues.
    expectDone(job, 200);
    expect(mostSentToOne()).toBe(1);
    expect(first.telemetry).toContain('lost');
  });

  it('counts messages in flight of a dead process as failed after the grace time, and does not resend them', async () => {
    const job = await engine.addJob(120);
    engine.platform.latencyMs = 300;
    const first = engine.start('first');
    await engine.until(() => arrivals() >= 60, 4000);
    first.frozen = true;
    engine.start('second');
    await engine.until(() => engine.job(job).cursor === 121, 15_000);
    await engine.until(() => engine.isDone(job), 901_000);

    const { unknown } = engine.job(job);
    expectDone(job, 120 - unknown, unknown);
    expect(unknown).toBeGreaterThan(0);
    expect(mostSentToOne()).toBe(1);
    engine.processes.splice(engine.processes.indexOf(first), 1);
  }, 30_000);

  describe('when the database is unavailable', () => {
    it('sends nothing, loses no answer and continues within 10 s after it is back', async () => {
      const job = await engine.addJob(250);
      engine.platform.latencyMs = 500;
      engine.start();
      await engine.until(() => arrivals() >= 60, 4000);
      engine.database.isUnavailable = true;
      await engine.advance(1000);
      const sent = arrivals();
      await engine.advance(30_000);
      expect(arrivals()).toBe(sent);

      engine.database.isUnavailable = false;
      expect(await engine.until(() => arrivals() > sent, 10_000)).toBeLessThan(10_000);
      await engine.until(() => engine.isDone(job), 10_000);
      expectDone(job, 250);
      expect(mostSentToOne()).toBe(1);
    });

    it('a process that starts meanwhile runs lanes afterwards', async () => {
      engine.database.isUnavailable = true;
      engine.start();
      await engine.advance(3000);
      engine.database.isUnavailable = false;
      const job = await engine.addJob(3);
      await engine.until(() => engine.isDone(job), 5000);

      expectDone(job, 3);
    });
  });

  describe.each(['refused', 'answer lost'] as const)(
    'when the answer of the database to a statement is "%s"',
    (fault) => {
      let process: EngineProcess;
      let job: string;

      async function survive(statement: string, times = 3): Promise<void> {
        job = await engine.addJob(60);
        engine.platform.answer = (to, nth) => (nth === 1 && Number(to) % 10 === 0 ? throttled : accepted());
        process = engine.start('first', true);
        await engine.until(() => arrivals() >= 8, 3000);
        for (let n = 0; n < times; n++) engine.database.fail(statement, fault);
        await engine.until(() => engine.isDone(job), 20_000);
        expectDone(job, 60);
        expect(process.telemetry.some((line) => /^(failed|not recorded)/.test(line))).toBe(true);
        expect(arrivals()).toBe(66);
      }

      it.each([
        'MOVE_CURSOR',
        'CLAIM_DUE',
        'UNFINISHED_JOBS',
        'RAISE_SETTLED_BELOW',
        'COMPLETE',
        'COUNT_OUTCOMES',
        'LOCK_JOBS',
        'RECIPIENTS_AT',
        'SAVE_RECIPIENTS',
        'SAVE_MESSAGES',
        'SENDERS_TO_RUN',
      ])('%s: every message is sent once and the job ends', async (statement) => {
        await survive(statement);
      });
    },
  );

  it.each([
    ['refused', true],
    ['answer lost', true],
    ['refused', false],
    ['answer lost', false],
  ] as const)('takes a lane after the first attempt was "%s" (the only process: %s)', async (fault, exclusive) => {
    engine.database.fail('TAKE_LANE', fault);
    const job = await engine.addJob(3);
    engine.start('first', exclusive);
    await engine.until(() => engine.isDone(job), 10_000);

    expectDone(job, 3);
  });

  it('takes a lane again that the only process could not release', async () => {
    const first = await engine.addJob(3);
    engine.start('first', true);
    await engine.until(() => engine.isDone(first), 3000);
    engine.database.fail('RELEASE_LANE', 'refused');
    await engine.advance(7000);
    const second = await engine.addJob(3);
    await engine.until(() => engine.isDone(second), 3000);

    expectDone(second, 3);
  });

  it('ends single sends without an answer, without an attempt and without a status', async () => {
    const pastDue = { retryAt: null, attempt: 1, giveUpAt: new Date(engine.clock.now().getTime() - 1) };
    const unanswered = await engine.tables.addSingle({ ...pastDue, validUntil: new Date(8e12) });
    const expired = await engine.tables.addSingle({ retryAt: engine.clock.now(), validUntil: new Date(0) });
    engine.start();
    await engine.advance(3000);
    expect(await engine.tables.single(unanswered)).toMatchObject({ outcome: 'Unknown', problem: null });
    expect(await engine.tables.single(expired)).toMatchObject({ outcome: 'Failed', problem: 'expired' });

    await engine.advance(901_000);
    expect(await engine.tables.single(unanswered)).toMatchObject({ outcome: 'Unknown', problem: 'outcome_unknown' });
  }, 30_000);
});
