import { accepted, EngineInMemory } from '../../../../test/fakes/engine-in-memory';
import type { Answer } from '../../sending/domain/answer';
import { refusedInRow } from './job-stop';

const refusedMessage: Answer = {
  kind: 'refused',
  scope: 'message',
  problem: 'bad',
  message: 'Bad.',
  platformCode: 132012,
};
const refusedJob: Answer = { kind: 'refused', scope: 'job', problem: 'token', message: 'Expired.', platformCode: 190 };

describe('A lane whose job the platform refuses', () => {
  let engine: EngineInMemory;

  beforeEach(() => {
    engine = new EngineInMemory();
  });

  afterEach(async () => {
    engine.platform.answer = () => accepted();
    await engine.stop();
  });

  it('pauses a job that the platform refuses altogether, claims no more of it and continues when it is resumed', async () => {
    const job = await engine.addJob(300);
    let isMended = false;
    engine.platform.answer = () => (isMended ? accepted() : refusedJob);
    engine.start();
    await engine.until(() => engine.job(job).status === 'Paused', 2000);
    const asked = engine.platform.arrivals.length;
    expect(asked).toBeLessThanOrEqual(20);
    expect(engine.job(job).pauseReason).toContain('Expired (platform code 190)');
    await engine.advance(10_000);
    expect(engine.platform.arrivals).toHaveLength(asked);
    expect(engine.job(job)).toMatchObject({ failed: 0, successfullySent: 0 });

    isMended = true;
    await engine.tables.change('jobs', { id: job }, { status: 'Processing', pauseReason: null });
    await engine.until(() => engine.isDone(job), 10_000);
    expect(engine.job(job)).toMatchObject({ status: 'Completed', successfullySent: 300, failed: 0 });
  });

  it('fails a job whose template is disabled permanently, and its remaining recipients', async () => {
    const job = await engine.addJob(300);
    engine.platform.answer = () => ({ ...refusedJob, problem: 'template_disabled', platformCode: 132016 });
    engine.start();
    await engine.until(() => engine.job(job).completedAt !== null, 10_000);
    const asked = engine.platform.arrivals.length;
    expect(asked).toBeLessThanOrEqual(20);
    expect(engine.job(job)).toMatchObject({ status: 'Failed', errorCode: 'template_disabled', pauseReason: null });
    expect(engine.job(job).errorMessage).toContain('another template');
    await engine.advance(10_000);
    expect(engine.platform.arrivals).toHaveLength(asked);
  });

  it('pauses a job after 20 consecutive refusals, not after fewer', async () => {
    const job = await engine.addJob(300);
    engine.platform.answer = (to) => (Number(to) % 20 === 0 ? accepted() : refusedMessage);
    engine.start();
    await engine.until(() => engine.isDone(job), 8000);
    expect(engine.job(job)).toMatchObject({ status: 'Completed', successfullySent: 15, failed: 285 });

    const bad = await engine.addJob(300);
    engine.platform.answer = () => refusedMessage;
    await engine.until(() => engine.job(bad).status === 'Paused', 5000);
    expect(engine.job(bad).pauseReason).toContain('20 consecutive messages');
    expect(refusedInRow('Bad.', 132012).problem).toBe('refusals_in_row');
    await engine.advance(500);
    expect(engine.job(bad).failed).toBeLessThan(40);
  });

  it('retries the pause, and sends nothing, if the database does not accept it', async () => {
    const job = await engine.addJob(300);
    engine.platform.answer = () => refusedJob;
    for (let n = 0; n < 10; n++) engine.database.fail('STOP', 'refused');
    engine.start();
    await engine.until(() => engine.job(job).status === 'Paused', 5000);

    expect(engine.platform.arrivals.length).toBeLessThanOrEqual(20);
    expect(engine.job(job)).toMatchObject({ failed: 0 });
  });
});
