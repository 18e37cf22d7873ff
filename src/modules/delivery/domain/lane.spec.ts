import { phoneAt } from '../../../../test/support/sending-tables';
import { accepted, EngineInMemory } from '../../../../test/fakes/engine-in-memory';
import type { Answer } from '../../sending/domain/answer';

const throttled: Answer = { kind: 'throttled', scope: 'pace', message: 'Slower.', platformCode: 130429 };
const unknown: Answer = { kind: 'unknown', reason: 'no answer' };
const notSent: Answer = { kind: 'not_sent', reason: 'no connection' };
const outage = (suspect: 'platform' | 'recipient'): Answer => {
  return { kind: 'outage', suspect, problem: 'platform_rejected', message: 'Later.', platformCode: 131000 };
};

describe('A lane', () => {
  let engine: EngineInMemory;

  beforeEach(() => {
    engine = new EngineInMemory();
  });

  afterEach(async () => {
    engine.database.isUnavailable = false;
    engine.platform.answer = () => accepted();
    for (const process of engine.processes) process.frozen = false;
    await engine.stop();
  });

  const outcomes = (job: string) => engine.recipients(job).map(({ outcome }) => outcome);

  function expectDone(job: string, sent: number, failed: number): void {
    expect(engine.job(job)).toMatchObject({ status: 'Completed', successfullySent: sent, failed, unknownInGrace: 0 });
  }

  it('sends a job to every recipient once and ends it', async () => {
    const job = await engine.addJob(200);
    engine.start();
    await engine.until(() => engine.isDone(job), 6000);

    expectDone(job, 200, 0);
    expect(new Set(engine.platform.arrivals.map(({ to }) => to)).size).toBe(200);
    expect(engine.platform.arrivals).toHaveLength(200);
    expect(engine.processes[0]!.telemetry).toEqual(['taken 1', 'ended']);
  });

  it('passes message, attempt, job and position as callback data', async () => {
    const job = await engine.addJob(1);
    engine.platform.answer = (_, nth) => (nth === 1 ? throttled : accepted());
    engine.start();
    await engine.until(() => engine.isDone(job), 5000);

    const { messageId } = engine.recipients(job)[0]!;
    const callbacks = engine.platform.arrivals.map(({ callbackData }) => callbackData);
    expect(callbacks).toEqual([`${messageId}.1.${job}.1`, `${messageId}.2.${job}.1`]);
  });

  it('keeps and uses the pace', async () => {
    const job = await engine.addJob(400);
    engine.start();
    await engine.until(() => engine.isDone(job), 10_000);

    const times = engine.platform.arrivals.map(({ at }) => at);
    const most = Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 1000).length));
    expect(most).toBeLessThanOrEqual(81);
    expect(400 / ((times.at(-1)! - times[0]!) / 1000)).toBeGreaterThanOrEqual(80 * 0.97);
  });

  it('keeps the pace at a latency of 3 s', async () => {
    engine.sender = { ...engine.sender, messagesPerSecond: 20 };
    engine.platform.latencyMs = 3000;
    const job = await engine.addJob(300);
    engine.start();
    await engine.until(() => engine.isDone(job), 30_000);

    const times = engine.platform.arrivals.map(({ at }) => at).filter((at, _, [first]) => at >= first! + 8000);
    expect(times.length / ((times.at(-1)! - times[0]!) / 1000)).toBeGreaterThanOrEqual(20 * 0.97);
  });

  it('wastes no pace on rows that failed at the import or on jobs of one recipient', async () => {
    const failed = { outcome: 'Failed', problem: 'phone_invalid' } as const;
    const rows = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [index + 1, failed]));
    const long = await engine.addJob(340, { failed: 300 }, rows);
    const short = await Promise.all(Array.from({ length: 40 }, () => engine.addJob(1)));
    engine.start();
    const took = await engine.until(() => [long, ...short].every((job) => engine.isDone(job)), 5000);

    expectDone(long, 40, 300);
    expect(took).toBeLessThan(2500);
  });

  it('skips recipients that have opted out', async () => {
    const job = await engine.addJob(5);
    await engine.tables.optOut(phoneAt(3));
    engine.start();
    await engine.until(() => engine.isDone(job), 3000);

    expectDone(job, 4, 1);
    expect(engine.platform.arrivalsOf(phoneAt(3))).toEqual([]);
  });

  it('makes no later attempt for recipients that have opted out since the first, including waiting single sends', async () => {
    const [ofJob, single] = [phoneAt(2), '4915100000000'];
    const job = await engine.addJob(3);
    const messageId = await engine.addSingle(single);
    const pair: Answer = { kind: 'throttled', scope: 'pair', message: 'Slower.', platformCode: 131056 };
    engine.platform.answer = (to, nth) => (nth === 1 && [ofJob, single].includes(to) ? pair : accepted());
    engine.start();
    await engine.until(() => engine.recipients(job)[1]!.retryAt !== null, 3000);
    for (const to of [ofJob, single]) await engine.tables.optOut(to);
    const send = () => engine.database.tables.singleSends.find((one) => one.messageId === messageId)!;
    await engine.until(() => engine.isDone(job) && send().outcome !== null, 10_000);

    expectDone(job, 2, 1);
    expect(engine.job(job)).toMatchObject({ skipped: 1 });
    expect(engine.recipients(job)[1]).toMatchObject({ outcome: 'Skipped', problem: 'opted_out' });
    expect(send()).toMatchObject({ outcome: 'Skipped', problem: 'opted_out' });
    const historyOf = (id: string) => engine.database.tables.messages.find((one) => one.id === id);
    for (const id of [engine.recipients(job)[1]!.messageId, messageId]) {
      expect(historyOf(id)).toMatchObject({ status: 'Failed', problem: { code: 'opted_out' } });
    }
    for (const to of [ofJob, single]) expect(engine.platform.arrivalsOf(to)).toHaveLength(1);
  });

  it('sends single sends first, then jobs in turn', async () => {
    const first = await engine.addJob(400);
    const second = await engine.addJob(400);
    engine.start();
    await engine.until(() => engine.platform.arrivals.length > 20, 3000);
    const before = engine.platform.arrivals.length;
    const single = await engine.addSingle('4915100000000');
    await engine.until(() => engine.platform.arrivalsOf('4915100000000').length > 0, 600);

    expect(engine.platform.arrivals.length - before).toBeLessThan(40);
    await engine.until(() => engine.job(first).cursor > 200, 8000);
    expect(Math.abs(engine.job(first).cursor - engine.job(second).cursor)).toBeLessThan(20);
    expect(engine.database.tables.singleSends.find(({ messageId }) => messageId === single)).toMatchObject({
      outcome: 'Sent',
    });
  });

  it('sends a delayed reply unchanged', async () => {
    const reply = await engine.addSingle('4915100000000', 'On its way');
    engine.start();
    const send = () => engine.database.tables.singleSends.find(({ messageId }) => messageId === reply)!;
    await engine.until(() => send().outcome !== null, 3000);

    expect(send().outcome).toBe('Sent');
    expect(engine.platform.arrivals).toMatchObject([
      { to: '4915100000000', content: { kind: 'freeForm', type: 'Text', content: { text: 'On its way' } } },
    ]);
  });

  it('ends single sends that were erased before they could be sent', async () => {
    const erased = await engine.addSingle('4915100000000');
    engine.database.server.messages.rows.clear();
    engine.start();
    const send = () => engine.database.tables.singleSends.find(({ messageId }) => messageId === erased)!;
    await engine.until(() => send().outcome !== null, 3000);

    expect(send()).toMatchObject({ outcome: 'Failed', problem: 'message_erased' });
    expect(engine.platform.arrivals).toEqual([]);
  });

  it('reserves a tenth of the pace for single sends while there are any', async () => {
    await engine.addJob(2000);
    engine.start();
    await engine.until(() => engine.platform.arrivals.length > 10, 3000);
    await engine.addSingle('4915100000000');
    await engine.advance(1000);
    const before = engine.platform.arrivals.length;
    await engine.advance(2000);

    expect((engine.platform.arrivals.length - before) / 2).toBeLessThanOrEqual(74);
  });

  it('slows down at throttles, fails no recipient and regains its pace', async () => {
    const job = await engine.addJob(300);
    let throttles = 12;
    engine.platform.answer = (_, nth) => (nth === 1 && throttles-- > 0 ? throttled : accepted());
    engine.start();
    await engine.until(() => engine.isDone(job), 15_000);

    expectDone(job, 300, 0);
    expect(engine.platform.arrivals).toHaveLength(312);
  });

  it('sends evenly, not in bursts, at a reduced pace', async () => {
    await engine.addJob(50);
    engine.platform.answer = () => throttled;
    engine.start();
    await engine.advance(30_000);
    let mostClaimed = 0;
    for (let n = 0; n < 200; n++) {
      await engine.advance(10);
      const claimed = engine.database.tables.recipients.filter(({ sendingEpoch }) => sendingEpoch !== null).length;
      mostClaimed = Math.max(mostClaimed, claimed);
    }
    // One waiting to be sent, and those whose answer is being recorded.
    expect(mostClaimed).toBeLessThanOrEqual(3);

    const late = engine.platform.arrivals.filter(({ at }) => at > 20_000).map(({ at }) => at);
    const gaps = late.slice(1).map((at, index) => at - late[index]!);
    expect(late.length).toBeGreaterThan(5);
    expect(Math.min(...gaps)).toBeGreaterThan(40);
  });

  it('fails only the recipient that the platform never accepts', async () => {
    const job = await engine.addJob(60);
    engine.platform.answer = (to) => (to === phoneAt(7) ? outage('recipient') : accepted());
    engine.start();
    await engine.until(() => engine.isDone(job), 60_000);

    expectDone(job, 59, 1);
    expect(engine.recipients(job)[6]).toMatchObject({ problem: 'platform_rejected', platformCode: 131000 });
  });

  it.each([
    ['fails', outage('platform')],
    ['is not reached', notSent],
  ])('fails no recipient while the platform %s, probes one by one and continues when it is back', async (_, answer) => {
    const job = await engine.addJob(400);
    let isBack = true;
    engine.platform.answer = () => (isBack ? accepted() : answer);
    engine.start();
    await engine.until(() => engine.platform.arrivals.length >= 80, 3000);
    isBack = false;
    await engine.advance(2000);
    const before = engine.platform.arrivals.length;
    await engine.advance(60_000);
    expect(engine.platform.arrivals.length - before).toBeLessThanOrEqual(7);
    expect(engine.database.tables.lanes[0]).toMatchObject({ throttledReason: 'platform_outage' });

    isBack = true;
    await engine.until(() => engine.isDone(job), 100_000);
    expectDone(job, 400, 0);
    expect(engine.database.tables.lanes[0]).toMatchObject({ throttledReason: null });
  });

  it('resumes within seconds after a short outage that failed many requests', async () => {
    const job = await engine.addJob(400);
    engine.platform.latencyMs = 500;
    engine.platform.answer = () =>
      engine.clock.monotonic() > 2000 && engine.clock.monotonic() < 3000 ? outage('platform') : accepted();
    engine.start();
    await engine.until(() => engine.isDone(job), 15_000);

    expectDone(job, 400, 0);
  });

  it('claims nothing while the platform does not respond, and counts missing responses as unknown, not as failed', async () => {
    const job = await engine.addJob(400);
    engine.platform.latencyMs = 30_000;
    engine.platform.answer = () => unknown;
    engine.start();
    await engine.advance(29_000);
    const open = engine.platform.arrivals.length;
    expect(open).toBeLessThanOrEqual(160);

    engine.platform.latencyMs = 20;
    engine.platform.answer = () => accepted();
    await engine.until(() => engine.job(job).successfullySent === 400 - open, 60_000);
    expect(engine.job(job)).toMatchObject({ failed: 0, unknown: open, unknownInGrace: open, completedAt: null });

    // The lane is released and taken again meanwhile, without a second line.
    await engine.advance(60_000);
    const other = await engine.addJob(1);
    await engine.until(() => engine.isDone(other), 60_000);
    const told = (text: string) => engine.processes[0]!.telemetry.filter((line) => line.startsWith(text)).length;
    expect(told('taken')).toBeGreaterThan(1);
    await engine.until(() => engine.isDone(job), 900_000);
    expectDone(job, 400 - open, open);
    expect(engine.platform.arrivals).toHaveLength(401);
    expect(told('waits for unknown outcomes')).toBe(1);
  }, 60_000);

  it('sends nothing more of a cancelled job and ends it after the last answer', async () => {
    const job = await engine.addJob(1000);
    engine.platform.latencyMs = 400;
    engine.platform.answer = (to) => (Number(to) % 2 === 0 ? throttled : accepted());
    engine.start();
    await engine.until(() => engine.platform.arrivals.length >= 100, 5000);
    await engine.tables.change('jobs', { id: job }, { status: 'Cancelled' });
    await engine.until(() => engine.isDone(job), 5000);

    const { successfullySent, failed, cursor, status } = engine.job(job);
    expect(status).toBe('Cancelled');
    expect(successfullySent + failed).toBe(1000);
    expect(outcomes(job).filter((outcome) => outcome === 'Sent')).toHaveLength(successfullySent);
    expect(outcomes(job).slice(0, cursor - 1)).not.toContain(null);
    expect(outcomes(job).slice(cursor - 1)).toEqual(Array.from({ length: 1001 - cursor }, () => null));
  });

  it('repairs counters after two mismatches with the rows, and ends the job', async () => {
    const job = await engine.addJob(10, { successfullySent: 3, failed: 1 });
    const process = engine.start();
    await engine.until(() => engine.isDone(job), 5000);

    expectDone(job, 10, 0);
    expect(process.telemetry).toContain('repaired');
  });

  it('ends a job without open recipients despite too low counters', async () => {
    const sent = { outcome: 'Sent', attempt: 1 } as const;
    const counted = { cursor: 4, settledBelow: 4, status: 'Processing', successfullySent: 1 };
    const job = await engine.addJob(3, counted, { 1: sent, 2: sent, 3: sent });
    engine.start();
    await engine.until(() => engine.isDone(job), 5000);

    expectDone(job, 3, 0);
  });

  it('claims nothing while the database does not accept answers', async () => {
    const job = await engine.addJob(200);
    engine.start();
    await engine.until(() => engine.platform.arrivals.length >= 40, 3000);
    for (let n = 0; n < 10; n++) engine.database.fail('SAVE_RECIPIENTS', 'refused');
    await engine.advance(500);
    const { cursor } = engine.job(job);
    await engine.advance(4000);
    expect(engine.job(job).cursor).toBe(cursor);

    await engine.until(() => engine.isDone(job), 10_000);
    expectDone(job, 200, 0);
  });

  it('sends nothing while five requests have had no answer for 3 s', async () => {
    engine.sender = { ...engine.sender, messagesPerSecond: 1 };
    await engine.addJob(50);
    engine.platform.latencyMs = 25_000;
    engine.start();
    await engine.advance(20_000);

    expect(engine.platform.arrivals).toHaveLength(5);
  });

  it('holds back a request that waited for a connection until its lease expired, and sends it later', async () => {
    const job = await engine.addJob(8);
    engine.platform.departureMs = 3500;
    engine.start();
    await engine.until(() => engine.job(job).cursor === 9, 3000);
    engine.database.isUnavailable = true;
    await engine.advance(3600);
    expect(engine.platform.arrivals).toEqual([]);

    engine.database.isUnavailable = false;
    engine.platform.departureMs = 0;
    await engine.until(() => engine.isDone(job), 8000);
    expectDone(job, 8, 0);
    expect(engine.job(job).unknown).toBe(0);
    expect(engine.platform.arrivals).toHaveLength(8);
  });

  it('releases an idle lane after 5 s', async () => {
    const job = await engine.addJob(5);
    const process = engine.start();
    await engine.until(() => engine.isDone(job), 3000);
    await engine.advance(7000);

    expect(process.telemetry).toEqual(['taken 1', 'ended', 'left']);
    expect(engine.database.tables.lanes[0]).toMatchObject({ owner: null });
  });
});
