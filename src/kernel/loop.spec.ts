import { AsyncLocalStorage } from 'node:async_hooks';
import { FakeClock } from '../../test/fakes/fake-clock';
import { Loop, type LoopOptions } from './loop';
import { repeatedWork } from './repeated-work';

describe('A loop', () => {
  let clock: FakeClock;
  let loop: Loop;
  /** When each round began, in milliseconds. */
  let begun: number[];
  let underWay: number;
  let mostUnderWay: number;
  let errors: string[];
  let round: (signal: AbortSignal) => Promise<unknown>;

  beforeEach(() => {
    clock = new FakeClock();
    [begun, errors, underWay, mostUnderWay] = [[], [], 0, 0];
    round = () => Promise.resolve();
  });

  afterEach(() => loop.stop());

  function start(options: Partial<LoopOptions> = {}): void {
    loop = new Loop({
      name: 'loop',
      clock,
      everyMs: 10_000,
      round: async (signal) => {
        begun.push(clock.monotonic());
        mostUnderWay = Math.max(mostUnderWay, ++underWay);
        await round(signal).finally(() => underWay--);
      },
      failed: ({ message }) => errors.push(message),
      ...options,
    });
    loop.start();
  }

  it('begins with a round, and pauses after each', async () => {
    round = () => clock.sleep(1_000);
    start();
    await clock.advance(25_000);
    expect(begun).toEqual([0, 11_000, 22_000]);
  });

  it('begins with a pause where that is wanted', async () => {
    start({ firstAfterMs: 3_000 });
    await clock.advance(15_000);
    expect(begun).toEqual([3_000, 13_000]);
  });

  it('varies its pauses, so that processes do not act in step', async () => {
    jest.spyOn(clock, 'jitter').mockImplementation((ms) => ms / 2);
    start({ jitterMs: 1_000 });
    await clock.advance(21_000);
    expect(begun).toEqual([0, 10_500, 21_000]);
  });

  it('begins a round at once when it is woken', async () => {
    start();
    await clock.advance(4_000);
    loop.wake();
    await clock.advance(10_000);
    expect(begun).toEqual([0, 4_000, 14_000]);
  });

  it('answers wake-ups during a round with one more round after it, never with two at a time', async () => {
    round = () => clock.sleep(1_000);
    start();
    await clock.advance(500);
    for (let n = 0; n < 3; n++) loop.wake();
    await clock.advance(5_000);
    expect(begun).toEqual([0, 1_000]);
    expect(mostUnderWay).toBe(1);
  });

  it('keeps a minimum pause after a woken round, however often it is woken', async () => {
    start({ wokenApartMs: 2_000 });
    for (let ms = 0; ms < 5_000; ms += 500) {
      await clock.advance(500);
      loop.wake();
    }
    expect(begun).toEqual([0, 500, 2_500, 4_500]);
  });

  it('retries a failed round after growing pauses, up to the regular one', async () => {
    round = () => Promise.reject(new Error('database unavailable'));
    start();
    await clock.advance(30_000);
    expect(begun).toEqual([0, 1_000, 3_000, 7_000, 15_000, 25_000]);
  });

  it('reports a failed round, and no other one for 30 s, whether rounds between succeed or not', async () => {
    round = () => (begun.length % 2 === 0 ? Promise.resolve() : Promise.reject(new Error(`round ${begun.length}`)));
    start();
    await clock.advance(1_000);
    expect(errors).toEqual(['round 1']);
    round = () => Promise.reject(new Error('database unavailable'));
    await clock.advance(88_000);
    expect(errors).toEqual(['round 1', 'database unavailable', 'database unavailable']);
  });

  it('shows its failures in a row, until a round succeeds or it ends', async () => {
    const shown = () => repeatedWork().filter(({ name }) => name === 'loop');
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

  it('returns to its regular pauses after a round that succeeded', async () => {
    round = () => (begun.length === 2 ? Promise.resolve() : Promise.reject(new Error('no')));
    start();
    await clock.advance(12_500);
    expect(begun).toEqual([0, 1_000, 11_000, 12_000]);
  });

  it('tells when its first round has ended', async () => {
    let ended = false;
    round = () => clock.sleep(1_000);
    start();
    void loop.firstRound.then(() => (ended = true));
    await clock.advance(999);
    expect(ended).toBe(false);
    await clock.advance(1);
    expect(ended).toBe(true);
  });

  it('stops after the round under way, which is told to end, and begins no other', async () => {
    round = (signal) => clock.sleep(5_000, signal).then(() => clock.sleep(100));
    start();
    await clock.advance(1_000);
    let ended = false;
    const stopping = loop.stop().then(() => (ended = true));
    await clock.advance(99);
    expect([ended, underWay]).toEqual([false, 1]);
    await clock.advance(1);
    await stopping;
    loop.wake();
    await clock.advance(60_000);
    expect([begun, underWay]).toEqual([[0], 0]);
  });

  it('stops at once during a pause, and before its start', async () => {
    start();
    await clock.advance(1_000);
    await loop.stop();
    await clock.advance(60_000);
    expect(begun).toEqual([0]);

    loop = new Loop({ name: 'loop', clock, everyMs: 1, round: () => Promise.resolve(), failed: () => undefined });
    await loop.stop();
  });

  it('runs outside the async context in which it is started or woken', async () => {
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
