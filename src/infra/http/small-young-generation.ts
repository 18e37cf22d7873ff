import { setFlagsFromString } from 'node:v8';

const NO_GROWTH = '--semi-space-growth-factor=1';
/** V8's default. */
const DEFAULT_GROWTH = '--semi-space-growth-factor=2';
/** Limit for clients that stop reading; a report of a million rows takes half of this time. */
const MAX_MS = 30_000;

let running = 0;

/**
 * Runs work that takes seconds and creates only short-lived objects, without letting V8 grow the young generation, which would cost
 * the process 15 MB permanently. For 30 s at most, since everything else in the process pays with more collections.
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
  const timer = setTimeout(end, MAX_MS).unref();
  try {
    return await work();
  } finally {
    clearTimeout(timer);
    end();
  }
}
