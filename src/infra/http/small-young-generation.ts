import { setFlagsFromString } from 'node:v8';

const AS_IT_IS = '--semi-space-growth-factor=1';
/** V8's own. */
const DOUBLED = '--semi-space-growth-factor=2';

let works = 0;

/**
 * Does a work of seconds that makes nothing but garbage. V8 would make the young generation as large as it can be, 15 MB more that
 * the process then keeps; it does not grow meanwhile.
 */
export async function withSmallYoungGeneration<T>(work: () => Promise<T>): Promise<T> {
  works += 1;
  setFlagsFromString(AS_IT_IS);
  try {
    return await work();
  } finally {
    works -= 1;
    if (works === 0) setFlagsFromString(DOUBLED);
  }
}
