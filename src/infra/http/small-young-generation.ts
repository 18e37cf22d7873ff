import { setFlagsFromString } from 'node:v8';

const NO_GROWTH = '--semi-space-growth-factor=1';
/** V8's default. */
const DEFAULT_GROWTH = '--semi-space-growth-factor=2';
/** A client may stop reading for as long as it likes; a report of a million rows takes half of this time. */
const LONGEST_MS = 30_000;

let running = 0;

/**
 * Runs work that takes seconds and leaves only short-lived objects. V8 would let the young generation grow to its limit, and the process
 * would keep 15 MB more; it does not grow meanwhile, for 30 s at most, since everything else in the process pays with more collections.
 */
export async function withSmallYoungGeneration<T>(work: () => Promise<T>): Promise<T> {
  running += 1;
  setFlagsFromString(NO_GROWTH);
  let ended = false;
  const end = (): void => {
    if (ended) return;
    ended = true;
    running -= 1;
    if (running === 0) setFlagsFromString(DEFAULT_GROWTH);
  };
  const timer = setTimeout(end, LONGEST_MS).unref();
  try {
    return await work();
  } finally {
    clearTimeout(timer);
    end();
  }
}
