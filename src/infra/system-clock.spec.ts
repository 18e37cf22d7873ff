import { SystemClock } from './system-clock';

describe('SystemClock', () => {
  const clock = new SystemClock();

  it('sleeps for the time given', async () => {
    const before = clock.monotonic();
    await clock.sleep(30);
    expect(clock.monotonic() - before).toBeGreaterThanOrEqual(29);
  });

  it('wakes immediately, without an error, when the signal is or has been aborted', async () => {
    const before = clock.monotonic();
    const interruption = new AbortController();
    const sleeping = clock.sleep(10_000, interruption.signal);
    interruption.abort();
    await sleeping;
    await clock.sleep(10_000, interruption.signal);
    expect(clock.monotonic() - before).toBeLessThan(1_000);
  });
});
