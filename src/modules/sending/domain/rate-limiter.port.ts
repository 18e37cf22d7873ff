import type { Reservation, PaceRequest } from './outgoing-message';

/** What may leave at once, as milliseconds of pace; always one message at least. */
export const BURST_MS = 12.5;
/**
 * What is left of the pace after a throttle: nearly all after the first two in a row, since requests arrive unevenly, and the platform
 * counts those of a whole second.
 */
export const FIRST_CUT = 0.97;
export const FIRST_CUTS = 2;
export const CUT = 0.85;
/** After this long without a throttle a new row begins. */
export const CUT_MEMORY_MS = 500;
/** Share of the nominal pace that a cut pace wins back each second. */
export const CLIMB_PER_SECOND = 0.05;
/** Messages per second that no cut goes below. */
export const FLOOR_PER_SECOND = 1;
/** What jobs use of the pace while single sends come, and for how long after one. */
export const JOB_SHARE = 0.9;
export const SINGLE_MEMORY_MS = 10_000;

/** The messages per second of each sender, kept over everybody who sends for it. */
export abstract class RateLimiter {
  /**
   * Reserves room for `count` messages and answers when they may leave; null when the first would wait longer than
   * `maxWaitMs`, or when this process may not send for the sender: then nothing is reserved.
   */
  abstract reserve(request: PaceRequest): Promise<Reservation | null>;
  /**
   * The platform throttled a request that left `ageMs` ago: the pace falls once for all requests that left before the last
   * fall, by 3 % twice, and then by 15 % as long as each fall comes within 500 ms of the one before. It climbs back by 5 % of the
   * nominal pace a second.
   */
  abstract cut(senderId: string, perSecond: number, ageMs: number): Promise<void>;
  /** Messages per second at the moment: `perSecond`, or less since the last cut. */
  abstract current(senderId: string, perSecond: number): Promise<number>;
  /** This process owns the sender's lane from now on. */
  abstract laneTaken(senderId: string): void;
  /** This process does not own the sender's lane any more. */
  abstract laneGivenBack(senderId: string): void;
}
