import { probeWait, waitAfter } from './retry-schedule';

const HOUR = 3_600_000;

describe('Retries of a delivery', () => {
  it('have delays of 5 s to 20 h, three days in total', () => {
    const waits = Array.from({ length: 11 }, (_, n) => waitAfter(n + 1, 0.5, null));
    expect(waits.slice(0, 4)).toEqual([5_000, 60_000, 300_000, 1_800_000]);
    expect(waits.slice(4)).toEqual([2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 20 * HOUR, null]);
    const together = waits.reduce<number>((sum, wait) => sum + (wait ?? 0), 0);
    expect(Math.round(together / (24 * HOUR))).toBe(3);
  });

  it('vary by 20 % in both directions', () => {
    expect([waitAfter(1, 0, null), waitAfter(1, 0.999999, null)]).toEqual([4_000, expect.closeTo(6_000, 1)]);
  });

  it('respect the delay requested by the endpoint, up to an hour', () => {
    expect(waitAfter(1, 0.5, 120_000)).toBe(120_000);
    expect(waitAfter(2, 0.5, 1_000)).toBe(60_000);
    expect(waitAfter(1, 0.5, 24 * HOUR)).toBe(HOUR);
    expect(waitAfter(11, 0.5, 1_000)).toBeNull();
  });
});

describe('Probes of an endpoint', () => {
  it('start after five consecutive failures, with delays of 5 s to 5 min', () => {
    expect([4, 5, 6, 7, 8, 9, 10, 11, 12, 1000].map(probeWait)).toEqual([
      ...[null, 5_000, 10_000, 20_000, 40_000, 80_000, 160_000],
      ...[300_000, 300_000, 300_000],
    ]);
  });
});
