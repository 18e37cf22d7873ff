const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The delay after each failed attempt, three days in total. */
const WAITS = [
  5 * SECOND,
  MINUTE,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  20 * HOUR,
];
const FIRST_PROBE_MS = 5 * SECOND;
const MAX_PROBE_MS = 5 * MINUTE;

/** Consecutive failures after which only single deliveries are attempted. */
export const FAILURES_TO_PROBING = 5;
/** An endpoint is disabled after failing for this long. */
export const DISABLED_AFTER_MS = 5 * 24 * HOUR;
/** Maximum delay that an endpoint can request with Retry-After. */
export const MAX_RETRY_AFTER_MS = HOUR;

/**
 * Milliseconds until the next attempt, after `attempts` failed; null: none. `random`, from 0 to below 1, varies the delay by ±20 %. Never
 * earlier than requested by the endpoint.
 */
export function waitAfter(attempts: number, random: number, retryAfterMs: number | null): number | null {
  const wait = WAITS[attempts - 1];
  if (wait === undefined) return null;
  return Math.max(wait * (0.8 + 0.4 * random), Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS));
}

/** Milliseconds until the next probe of an endpoint after consecutive failures; null: no delay. */
export function probeWait(failuresInRow: number): number | null {
  const probes = failuresInRow - FAILURES_TO_PROBING;
  return probes < 0 ? null : Math.min(FIRST_PROBE_MS * 2 ** Math.min(probes, 10), MAX_PROBE_MS);
}
