import { EngineInMemory } from '../../../../test/fakes/engine-in-memory';

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
});
