import { setFlagsFromString } from 'node:v8';

/**
 * For processes that send. Much of what a fast job leaves behind is old enough to be promoted, and V8 lets the heap grow to
 * a multiple of what lives before it looks: measured on a job of 100,000, 388 MB against 204 MB with this. It is paid with
 * more looks, each a pause of up to 20 ms, so a process that only answers requests does without.
 */
export function keepHeapLean(): void {
  setFlagsFromString('--heap-growing-percent=30');
}
