const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** What is waited after each failed attempt: three days together. */
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
const LONGEST_PROBE_MS = 5 * MINUTE;

/** Failures in a row after which only single deliveries are tried. */
export const FAILURES_TO_PROBING = 5;
/** An endpoint that has failed for so long is disabled. */
export const DISABLED_AFTER_MS = 5 * 24 * HOUR;
/** What an endpoint can ask for with Retry-After. */
export const LONGEST_RETRY_AFTER_MS = HOUR;

/**
 * Milliseconds until the next attempt, after `attempts` of them have failed; null: there is none. `random` is at least 0 and
 * below 1 and makes it 20 % shorter to 20 % longer. Never earlier than the endpoint asked for.
 */
export function waitAfter(attempts: number, random: number, retryAfterMs: number | null): number | null {
  const wait = WAITS[attempts - 1];
  if (wait === undefined) return null;
  return Math.max(wait * (0.8 + 0.4 * random), Math.min(retryAfterMs ?? 0, LONGEST_RETRY_AFTER_MS));
}

/** Milliseconds until an endpoint is tried again that has failed so often in a row; null: no wait. */
export function probeWait(failuresInRow: number): number | null {
  const probes = failuresInRow - FAILURES_TO_PROBING;
  return probes < 0 ? null : Math.min(FIRST_PROBE_MS * 2 ** Math.min(probes, 10), LONGEST_PROBE_MS);
}
