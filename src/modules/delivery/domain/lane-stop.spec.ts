import { EngineInMemory } from '../../../../test/fakes/engine-in-memory';
import { Claims } from './claims';

describe('A lane whose sender was deleted', () => {
  it('pauses its jobs, fails its waiting single sends, and records what is in flight', async () => {
    const engine = new EngineInMemory();
    const job = await engine.addJob(250);
    engine.start();
    await engine.until(() => engine.platform.arrivals.length >= 50, 3000);
    engine.sender = { ...engine.sender, sendingPaused: true, isDeleted: true };
    // Until the cached sender has expired.
    await engine.advance(1500);
    const single = await engine.addSingle('4915112345678');
    await engine.until(() => engine.job(job).status === 'Paused', 3000);
    await engine.advance(3000);
    const sent = engine.platform.arrivals.length;
    expect(engine.job(job)).toMatchObject({
      pauseReason: expect.stringContaining('deleted') as string,
      successfullySent: sent,
      unknownInGrace: 0,
    });
    expect(engine.database.server.messages.row(single).committed).toMatchObject({
      ...{ status: 'Failed', problem: { code: 'sender_deleted' }, platformMessageId: null },
    });
    await engine.advance(6000);
    expect(engine.platform.arrivals).toHaveLength(sent);
    await engine.stop();
  });
});

describe('A lane whose sender is paused by the operator', () => {
  let engine: EngineInMemory;

  beforeEach(() => {
    engine = new EngineInMemory();
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await engine.stop();
  });

  function expectDone(job: string, sent: number, failed: number): void {
    expect(engine.job(job)).toMatchObject({ status: 'Completed', successfullySent: sent, failed, unknownInGrace: 0 });
  }

  it('sends nothing, and continues afterwards', async () => {
    const job = await engine.addJob(250);
    engine.start();
    await engine.until(() => engine.platform.arrivals.length >= 50, 3000);
    engine.sender = { ...engine.sender, sendingPaused: true };
    await engine.advance(2000);
    const sent = engine.platform.arrivals.length;
    await engine.advance(6000);
    expect(engine.platform.arrivals).toHaveLength(sent);

    engine.sender = { ...engine.sender, sendingPaused: false };
    await engine.until(() => engine.isDone(job), 5000);
    expectDone(job, 250, 0);
  });

  it('sends nothing of a claim that was waiting, and all of it later', async () => {
    const job = await engine.addJob(5);
    const claim = Claims.prototype.first;
    jest.spyOn(Claims.prototype, 'first').mockImplementationOnce(async function (
      this: Claims,
      ...asked: Parameters<typeof claim>
    ) {
      engine.sender = { ...engine.sender, sendingPaused: true };
      await engine.clock.sleep(3000);
      return claim.apply(this, asked);
    });
    engine.start();
    await engine.advance(6000);
    expect(engine.platform.arrivals).toEqual([]);

    engine.sender = { ...engine.sender, sendingPaused: false };
    await engine.until(() => engine.isDone(job), 5000);
    expectDone(job, 5, 0);
    expect(engine.platform.arrivals).toHaveLength(5);
  });
});
