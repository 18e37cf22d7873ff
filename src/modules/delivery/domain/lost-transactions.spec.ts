import { EngineInMemory } from '../../../../test/fakes/engine-in-memory';
import { phoneAt } from '../../../../test/support/sending-tables';

describe('A lane whose database loses its last transactions', () => {
  let engine: EngineInMemory;

  beforeEach(() => {
    engine = new EngineInMemory();
  });

  afterEach(async () => {
    await engine.stop();
  });

  it('stops if the cursor of a job is below its own, and reports it', async () => {
    const job = await engine.addJob(300);
    engine.start();
    await engine.until(() => engine.platform.arrivals.length >= 60, 5000);
    await engine.tables.change('jobs', { id: job }, { cursor: 20 });
    await engine.until(() => engine.watch.lostTransactions > 0, 3000);
    expect(engine.watch.lostTransactions).toBe(1);
    await engine.until(() => engine.processes[0]!.telemetry.includes('left'), 3000);
  });

  it('stops, and is not taken again, while the database is not the known one', async () => {
    await engine.addJob(1000);
    engine.start();
    await engine.until(() => engine.platform.arrivals.length >= 60, 5000);
    engine.watch.isSame = false;
    await engine.advance(2500);
    const sent = engine.platform.arrivals.length;
    await engine.advance(6000);
    expect(engine.platform.arrivals).toHaveLength(sent);

    engine.watch.isSame = true;
    await engine.advance(3000);
    expect(engine.platform.arrivals.length).toBeGreaterThan(sent);
  });

  it('does not repeat a later attempt whose answer was lost', async () => {
    const job = await engine.addJob(200);
    const lost = { jobId: job, position: 5 };
    const row = () => engine.recipients(job)[lost.position - 1]!;
    engine.start();
    await engine.until(() => row().outcome === 'Sent', 5000);
    const { epoch } = (await engine.tables.lane())!;
    engine.watch.isSame = false;
    await engine.tables.change('recipients', lost, { outcome: null, attempt: 2, sendingEpoch: epoch });
    await engine.tables.change('jobs', { id: job }, { successfullySent: engine.job(job).successfullySent - 1 });
    await engine.advance(3000);
    expect(row()).toMatchObject({ attempt: 2, sendingEpoch: epoch, retryAt: null, outcome: null });
    expect(engine.platform.arrivalsOf(phoneAt(lost.position))).toHaveLength(1);
  });

  it('makes recorded outcomes that are open again unknown, sends nothing twice, and ends the job', async () => {
    const job = await engine.addJob(100);
    const lost = { jobId: job, position: 5 };
    const row = () => engine.recipients(job)[lost.position - 1]!;
    engine.start();
    await engine.until(() => row().outcome === 'Sent', 5000);
    await engine.tables.change('recipients', lost, { outcome: null });
    await engine.tables.change('jobs', { id: job }, { successfullySent: engine.job(job).successfullySent - 1 });
    await engine.until(() => row().outcome === 'Unknown', 10_000);

    await engine.until(() => engine.isDone(job), 1_000_000);
    expect(row()).toMatchObject({ outcome: 'Unknown', problem: 'outcome_unknown', attempt: 1 });
    expect(engine.job(job)).toMatchObject({ status: 'Completed', successfullySent: 99, failed: 1, unknown: 1 });
    expect(engine.platform.arrivalsOf(phoneAt(lost.position))).toHaveLength(1);
    expect(engine.processes[0]!.telemetry.filter((line) => line === 'repaired')).toHaveLength(1);
  });

  it('makes them unknown in a cancelled job too, and leaves those alone that were never tried', async () => {
    const job = await engine.addJob(100);
    const lost = { jobId: job, position: 5 };
    const row = () => engine.recipients(job)[lost.position - 1]!;
    engine.start();
    await engine.until(() => engine.platform.arrivals.length >= 30, 5000);
    await engine.until(() => engine.job(job).settledBelow > lost.position, 5000);
    await engine.tables.change('recipients', lost, { outcome: null });
    const { successfullySent } = engine.job(job);
    await engine.tables.change('jobs', { id: job }, { status: 'Cancelled', successfullySent: successfullySent - 1 });
    await engine.until(() => row().outcome === 'Unknown', 10_000);

    await engine.until(() => engine.isDone(job), 1_000_000);
    expect(row()).toMatchObject({ problem: 'outcome_unknown', attempt: 1 });
    expect(engine.job(job).status).toBe('Cancelled');
    expect(engine.recipients(job).at(-1)).toMatchObject({ outcome: null, attempt: 0 });
    expect(engine.platform.arrivalsOf(phoneAt(lost.position))).toHaveLength(1);
  });
});
