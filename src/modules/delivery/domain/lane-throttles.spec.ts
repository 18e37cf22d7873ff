import { accepted, EngineInMemory } from '../../../../test/fakes/engine-in-memory';
import { platformTemplate } from '../../../../test/fakes/templates-in-memory';
import { phoneAt } from '../../../../test/support/sending-tables';
import type { Answer } from '../../sending/domain/answer';

const throttled: Answer = { kind: 'throttled', scope: 'pace', message: 'Slower.', platformCode: 130429 };

describe('A throttled lane', () => {
  let engine: EngineInMemory;

  beforeEach(() => {
    engine = new EngineInMemory();
  });

  afterEach(() => engine.stop());

  function expectDone(job: string, sent: number, failed: number): void {
    expect(engine.job(job)).toMatchObject({ status: 'Completed', successfullySent: sent, failed, unknownInGrace: 0 });
  }

  it('delays only the recipient of a throttled pair', async () => {
    const job = await engine.addJob(20);
    engine.platform.answer = (to, nth) =>
      to === phoneAt(2) && nth < 3 ? { ...throttled, scope: 'pair', platformCode: 131056 } : accepted();
    engine.start();
    await engine.until(() => engine.job(job).successfullySent === 19, 2000);
    await engine.until(() => engine.isDone(job), 8000);

    expectDone(job, 20, 0);
    const [first, second, third] = engine.platform.arrivalsOf(phoneAt(2)).map(({ at }) => at) as [
      number,
      number,
      number,
    ];
    expect(second - first).toBeGreaterThanOrEqual(1000);
    expect(third - second).toBeGreaterThanOrEqual(4000);
  });

  it('waits as a whole if the account is throttled, shows it and continues', async () => {
    const job = await engine.addJob(200);
    engine.platform.answer = (to, nth) =>
      to === phoneAt(9) && nth === 1 ? { ...throttled, scope: 'account', platformCode: 80007 } : accepted();
    engine.start();
    await engine.advance(2000);
    const sent = engine.platform.arrivals.length;
    await engine.advance(50_000);
    expect(engine.platform.arrivals).toHaveLength(sent);
    expect(engine.database.tables.lanes[0]).toMatchObject({ throttledReason: 'account_rate_limited' });

    await engine.until(() => engine.isDone(job), 20_000);
    expectDone(job, 200, 0);
  });

  it('shows one wait while the account stays throttled, despite attempts in between', async () => {
    const job = await engine.addJob(20);
    let isThrottled = true;
    engine.platform.latencyMs = 600;
    engine.platform.answer = () => (isThrottled ? { ...throttled, scope: 'account', platformCode: 80007 } : accepted());
    engine.start();
    const reason = () => engine.database.tables.lanes[0]?.throttledReason;
    await engine.until(() => reason() === 'account_rate_limited', 5000);
    const attempts = engine.platform.arrivals.length;
    for (let tick = 0; tick < 1300; tick++) {
      await engine.advance(100);
      expect(reason()).toBe('account_rate_limited');
    }
    expect(engine.platform.arrivals.length).toBeGreaterThan(attempts + 1);
    isThrottled = false;
    await engine.until(() => reason() === null, 61_000);
    await engine.until(() => engine.isDone(job), 5000);
  });

  it('delays the jobs of a limited template, and no other', async () => {
    const limited = [await engine.addJob(200), await engine.addJob(200)];
    const sentOf = (jobs: string[]) => jobs.map((job) => engine.job(job).successfullySent);
    let refusals = 0;
    engine.platform.answer = () =>
      refusals-- === 1 ? { ...throttled, scope: 'template', platformCode: 134101 } : accepted();
    engine.start();
    await engine.until(() => sentOf(limited).every((sent) => sent > 20), 5000);
    refusals = 1;
    await engine.advance(2000);
    const sent = sentOf(limited);
    expect(Math.max(...sent)).toBeLessThan(199);
    const { revisionId } = engine.templates.put(engine.tables.accountId, platformTemplate('other'));
    const other = await engine.addJob(20, { revisionId });
    await engine.until(() => engine.isDone(other), 5000);
    await engine.advance(45_000);
    for (const job of limited) expect(engine.job(job)).toMatchObject({ throttledReason: 'template_limited' });
    expect(sentOf(limited)).toEqual(sent);
    expect(engine.database.tables.lanes[0]).toMatchObject({ throttledReason: null });

    await engine.until(() => limited.every((job) => engine.isDone(job)), 25_000);
    for (const job of limited) expectDone(job, 200, 0);
  });

  it('delays all jobs if the platform limits every template of the account, and fails no recipient', async () => {
    const jobs = [await engine.addJob(200), await engine.addJob(200)];
    const ofJobs = (property: 'successfullySent' | 'failed' | 'throttledReason') =>
      jobs.map((job) => engine.job(job)[property]);
    let refusals = 0;
    engine.platform.answer = () =>
      refusals-- === 1 ? { ...throttled, scope: 'templates', platformCode: 131064 } : accepted();
    engine.start();
    await engine.until(() => ofJobs('successfullySent').every((sent) => Number(sent) > 20), 5000);
    refusals = 1;
    await engine.advance(2000);
    const sent = ofJobs('successfullySent');
    expect(Math.max(...sent.map(Number))).toBeLessThan(199);
    await engine.advance(50_000);
    expect(ofJobs('successfullySent')).toEqual(sent);
    expect(ofJobs('throttledReason')).toEqual(['template_limited', 'template_limited']);
    expect(engine.database.tables.lanes[0]).toMatchObject({ throttledReason: null });

    await engine.until(() => jobs.every((job) => engine.isDone(job)), 25_000);
    for (const job of jobs) expectDone(job, 200, 0);
  });

  it('delays the jobs of the other senders of the account after one refusal', async () => {
    engine.database.server.businessAccounts.set(engine.tables.senderId, 'shared');
    const other = await engine.tables.addSenderOf('shared');
    const jobs = [await engine.addJob(300), await engine.addJob(300, { senderId: other })];
    const sent = () => jobs.map((job) => engine.job(job).successfullySent);
    let refusals = 0;
    engine.platform.answer = () =>
      refusals-- === 1 ? { ...throttled, scope: 'templates', platformCode: 131064 } : accepted();
    engine.start();
    await engine.until(() => sent().every((count) => count > 20), 5000);
    refusals = 1;
    await engine.advance(2000);
    const before = sent();
    await engine.advance(50_000);
    expect(sent()).toEqual(before);
    for (const job of jobs) expect(engine.job(job)).toMatchObject({ throttledReason: 'template_limited' });

    await engine.until(() => jobs.every((job) => engine.isDone(job)), 30_000);
    for (const job of jobs) expectDone(job, 300, 0);
  });
});
