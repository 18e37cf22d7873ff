import { setFlagsFromString } from 'node:v8';

/**
 * To be imported before anything else. Much of what a fast job leaves behind is old enough to be promoted, and V8 lets the
 * heap grow to a multiple of what lives before it looks: measured on a job of 100,000, 388 MB against 204 MB with this.
 */
setFlagsFromString('--heap-growing-percent=30');
