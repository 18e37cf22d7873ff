import { AsyncLocalStorage } from 'node:async_hooks';
import { FakeClock } from '../../test/fakes/fake-clock';
import { Loop, type LoopOptions } from './loop';
import { backgroundWork } from './background-work';

describe('Loop', () => {
  let clock: FakeClock;
  let loop: Loop;
  /** When each round started, in milliseconds. */
  let started: number[];
  let running: number;
  let mostRunning: number;
  let errors: string[];
  let round: (signal: AbortSignal) => Promise<unknown>;

  beforeEach(() => {
    clock = new FakeClock();
    [started, errors, running, mostRunning] = [[], [], 0, 0];
    round = () => Promise.resolve();
  });

  afterEach(() => loop.stop());

  function start(options: Partial<LoopOptions> = {}): void {
    loop = new Loop({
      name: 'loop',
      clock,
      everyMs: 10_000,
      round: async (signal) => {
        started.push(clock.monotonic());
        mostRunning = Math.max(mostRunning, ++running);
        await round(signal).finally(() => running--);
      },
      failed: ({ message }) => errors.push(message),
      ...options,
    });
    loop.start();
  }

  it('starts with a round, and pauses after each', async () => {
    round = () => clock.sleep(1_000);
    start();
    await clock.advance(25_000);
    expect(started).toEqual([0, 11_000, 22_000]);
  });

  it('starts with a pause if configured', async () => {
    start({ firstAfterMs: 3_000 });
    await clock.advance(15_000);
    expect(started).toEqual([3_000, 13_000]);
  });

  it('varies its pauses, so that processes do not run in lockstep', async () => {
    jest.spyOn(clock, 'jitter').mockImplementation((ms) => ms / 2);
    start({ jitterMs: 1_000 });
    await clock.advance(21_000);
    expect(started).toEqual([0, 10_500, 21_000]);
  });

  it('starts a round immediately when it is woken', async () => {
    start();
    await clock.advance(4_000);
    loop.wake();
    await clock.advance(10_000);
    expect(started).toEqual([0, 4_000, 14_000]);
  });

  it('runs one more round after wake-ups during a round, never two at a time', async () => {
    round = () => clock.sleep(1_000);
    start();
    await clock.advance(500);
    for (let n = 0; n < 3; n++) loop.wake();
    await clock.advance(5_000);
    expect(started).toEqual([0, 1_000]);
    expect(mostRunning).toBe(1);
  });

  it('keeps a minimum pause after a woken round', async () => {
    start({ wokenApartMs: 2_000 });
    for (let ms = 0; ms < 5_000; ms += 500) {
      await clock.advance(500);
      loop.wake();
    }
    expect(started).toEqual([0, 500, 2_500, 4_500]);
  });

  it('retries a failed round with increasing pauses, up to the regular one', async () => {
    round = () => Promise.reject(new Error('database unavailable'));
    start();
    await clock.advance(30_000);
    expect(started).toEqual([0, 1_000, 3_000, 7_000, 15_000, 25_000]);
  });

  it('reports at most one failed round in 30 s, even if rounds in between succeed', async () => {
    round = () => (started.length % 2 === 0 ? Promise.resolve() : Promise.reject(new Error(`round ${started.length}`)));
    start();
    await clock.advance(1_000);
    expect(errors).toEqual(['round 1']);
    round = () => Promise.reject(new Error('database unavailable'));
    await clock.advance(88_000);
    expect(errors).toEqual(['round 1', 'database unavailable', 'database unavailable']);
  });

  it('reports its consecutive failures until a round succeeds or it stops', async () => {
    const shown = () => backgroundWork().filter(({ name }) => name === 'loop');
    round = () => Promise.reject(new Error('database unavailable'));
    start();
    await clock.advance(4_000);
    expect(shown()).toMatchObject([{ failuresInRow: 3, reason: 'database unavailable' }]);
    round = () => Promise.resolve();
    await clock.advance(10_000);
    expect(shown()).toMatchObject([{ failuresInRow: 0, reason: null }]);
    await loop.stop();
    expect(shown()).toEqual([]);
  });

  it('returns to regular pauses after a successful round', async () => {
    round = () => (started.length === 2 ? Promise.resolve() : Promise.reject(new Error('no')));
    start();
    await clock.advance(12_500);
    expect(started).toEqual([0, 1_000, 11_000, 12_000]);
  });

  it('reports the end of its first round', async () => {
    let ended = false;
    round = () => clock.sleep(1_000);
    start();
    void loop.firstRound.then(() => (ended = true));
    await clock.advance(999);
    expect(ended).toBe(false);
    await clock.advance(1);
    expect(ended).toBe(true);
  });

  it('aborts the current round when it stops, waits for it, and starts no other', async () => {
    round = (signal) => clock.sleep(5_000, signal).then(() => clock.sleep(100));
    start();
    await clock.advance(1_000);
    let ended = false;
    const stopping = loop.stop().then(() => (ended = true));
    await clock.advance(99);
    expect([ended, running]).toEqual([false, 1]);
    await clock.advance(1);
    await stopping;
    loop.wake();
    await clock.advance(60_000);
    expect([started, running]).toEqual([[0], 0]);
  });

  it('stops immediately during a pause, and before its start', async () => {
    start();
    await clock.advance(1_000);
    await loop.stop();
    await clock.advance(60_000);
    expect(started).toEqual([0]);

    loop = new Loop({ name: 'loop', clock, everyMs: 1, round: () => Promise.resolve(), failed: () => undefined });
    await loop.stop();
  });

  it('runs outside the async context of its start and wake-ups', async () => {
    const transaction = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    round = () => Promise.resolve(seen.push(transaction.getStore()));
    transaction.run('first', () => start());
    await clock.advance(1_000);
    transaction.run('second', () => loop.wake());
    await clock.advance(1_000);
    expect(seen).toEqual([undefined, undefined]);
  });
});
