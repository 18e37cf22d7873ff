import type { Reservation, PaceRequest } from './outgoing-message';

/** Burst, in milliseconds of pace; at least one message. */
export const BURST_MS = 12.5;
/**
 * Factor of the pace after a throttle: small cuts for the first two in a row, because requests arrive unevenly and the
 * platform counts whole seconds.
 */
export const FIRST_CUT = 0.97;
export const FIRST_CUTS = 2;
export const CUT = 0.85;
/** A throttle after this pause starts a new series. */
export const CUT_SERIES_MS = 500;
/** Share of the nominal pace that is recovered each second. */
export const CLIMB_PER_SECOND = 0.05;
/** Lowest pace after cuts, in messages per second. */
export const FLOOR_PER_SECOND = 1;
/** Share of the pace for jobs while single sends arrive, and for this long after one. */
export const JOB_SHARE = 0.9;
export const SINGLE_PRIORITY_MS = 10_000;

/** Limits the messages per second of each sender across all processes. */
export abstract class RateLimiter {
  /**
   * Reserves `count` messages and returns their send times. Reserves nothing and returns null if the first would wait
   * longer than `maxWaitMs`, or if this process may not send for the sender.
   */
  abstract reserve(request: PaceRequest): Promise<Reservation | null>;
  /**
   * Cuts the pace after the platform throttled a request sent `ageMs` ago; requests sent before the last cut do not
   * count again. Cuts by 3 % twice, then by 15 % while cuts follow within 500 ms. The pace recovers by 5 % of the
   * nominal pace a second.
   */
  abstract cut(senderId: string, perSecond: number, ageMs: number): Promise<void>;
  /** Current messages per second: `perSecond`, or less after a cut. */
  abstract current(senderId: string, perSecond: number): Promise<number>;
  /** This process has acquired the sender's lane. */
  abstract laneAcquired(senderId: string): void;
  /** This process has released the sender's lane. */
  abstract laneReleased(senderId: string): void;
}
