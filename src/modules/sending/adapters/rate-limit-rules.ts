/** What may leave at once, as milliseconds of pace; always one message at least. */
export const BURST_MS = 12.5;
/** What is left of the pace after a throttle. */
export const CUT = 0.85;
/** Share of the nominal pace that a cut pace wins back each second. */
export const CLIMB_PER_SECOND = 0.05;
/** Messages per second that no cut goes below. */
export const FLOOR_PER_SECOND = 1;
/** What jobs use of the pace while single sends come, and for how long after one. */
export const JOB_SHARE = 0.9;
export const SINGLE_MEMORY_MS = 10_000;
