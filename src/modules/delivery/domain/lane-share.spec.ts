import { EngineInMemory, type EngineProcess } from '../../../../test/fakes/engine-in-memory';
import { EngineSendingTables } from '../../../../test/support/sending-tables';
import { laneShare } from './lane-driver';

describe('laneShare', () => {
  it('is unlimited for the only worker', () => {
    expect(laneShare({ workers: 1, lanes: 500 }, 20)).toBe(Infinity);
  });

  it.each([
    [3, 18, 0, 6],
    [3, 12, 4, 6],
    [3, 0, 1, 1],
    [2, 3, 0, 2],
  ])('is, for %i workers with %i running and %i free lanes, %i', (workers, lanes, free, share) => {
    expect(laneShare({ workers, lanes }, free)).toBe(share);
  });
});

describe('Lanes of several workers', () => {
  const SENDERS = 6;
  let engine: EngineInMemory;
  let jobs: string[];

  beforeEach(async () => {
    engine = new EngineInMemory();
    engine.platform.latencyMs = 300;
    engine.sender = { ...engine.sender, messagesPerSecond: 2 };
    jobs = [];
    for (let n = 0; n < SENDERS; n++) {
      const tables = new EngineSendingTables(engine.database.server);
      tables.revisionId = engine.tables.revisionId;
      jobs.push(await tables.addJob(60));
    }
  });

  afterEach(() => engine.stop());

  function lanesOf(processes: readonly EngineProcess[]): number[] {
    return processes.map(({ driver }) => driver.state.lanes);
  }

  /** The longest gap in ms between two messages of a sender since `since`. */
  function longestPause(since: number): number {
    const lastAt = new Map<string, number>();
    let longest = 0;
    for (const { callbackData, at } of engine.platform.arrivals) {
      const job = callbackData.split('.')[2]!;
      if (at >= since) longest = Math.max(longest, at - Math.max(since, lastAt.get(job) ?? since));
      lastAt.set(job, at);
    }
    return longest;
  }

  function expectNothingUnknown(): void {
    expect(jobs.map((job) => engine.job(job).unknown)).toEqual(jobs.map(() => 0));
  }

  it('are spread over workers that start at the same time', async () => {
    const processes = ['a', 'b', 'c'].map((owner) => engine.start(owner));
    await engine.advance(6000);

    expect(Math.max(...lanesOf(processes))).toBe(2);
    expect(lanesOf(processes).reduce((sum, lanes) => sum + lanes)).toBe(SENDERS);
  });

  it.each([
    [0, 0.2, 0.2],
    [0.7, 0.5, 0.3],
  ])('stop moving, for workers that sweep at %d, %d, %d', async (...parts) => {
    const processes = parts.map((part, n) => {
      const process = engine.start(String(n));
      process.clock.jitter = (ms) => part * ms;
      return process;
    });
    await engine.advance(6000);

    expect(lanesOf(processes)).toEqual([2, 2, 2]);
  });

  it('move to workers that join, with gaps of at most 3 s and no unknown outcomes', async () => {
    const first = engine.start('a');
    await engine.advance(3000);
    expect(lanesOf([first])).toEqual([SENDERS]);
    const joinedAt = engine.clock.monotonic();
    const processes = [first, engine.start('b'), engine.start('c')];
    await engine.advance(12_000);

    expect(Math.max(...lanesOf(processes))).toBe(2);
    expect(longestPause(joinedAt)).toBeLessThan(3000);
    expectNothingUnknown();
  });

  it('stay spread through a rolling restart', async () => {
    const processes = ['a', 'b', 'c'].map((owner) => engine.start(owner));
    await engine.advance(6000);
    for (const owner of ['a2', 'b2', 'c2']) {
      let stopped = false;
      void processes
        .shift()!
        .driver.stop()
        .then(() => (stopped = true));
      await engine.until(() => stopped, 5000);
      processes.push(engine.start(owner));
      await engine.advance(3000);
    }
    await engine.advance(6000);

    expect(Math.max(...lanesOf(processes))).toBe(2);
    expectNothingUnknown();
  });

  it('of a dead worker move to the others within 6 s', async () => {
    const processes = ['a', 'b', 'c'].map((owner) => engine.start(owner));
    await engine.advance(6000);
    const dead = processes.shift()!;
    dead.frozen = true;
    await engine.advance(6000);

    expect(lanesOf(processes).reduce((sum, lanes) => sum + lanes)).toBe(SENDERS);
    expect(Math.max(...lanesOf(processes))).toBeLessThanOrEqual(4);
    dead.frozen = false;
  });
});
