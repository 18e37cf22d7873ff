import type { ThrottleReason } from '../../bulk-jobs/domain/bulk-job';

/** The right to send for a sender, until another process takes it with a higher epoch. A bigint as text. */
export type Epoch = string;

/** Why a lane waits, and when the wait ends. */
export interface LaneThrottle {
  reason: ThrottleReason;
  until: Date;
}

/** The number of live workers, and of the lanes that they run in total. */
export interface LaneCensus {
  workers: number;
  lanes: number;
}

/** Ownership of lanes. Every method joins the surrounding unit of work. */
export abstract class LaneLeases {
  /** Senders with work whose lane has no owner. */
  abstract sendersToRun(): Promise<string[]>;
  /**
   * Reports that this process is alive and runs `lanes`; returns the totals of all processes that reported within 3 s, including this
   * one. The only process reports once.
   */
  abstract report(lanes: number): Promise<LaneCensus>;
  /** Removes this process from the census, as it is stopping. */
  abstract leave(): Promise<void>;
  /** Takes the lane and raises its epoch; null if another process owns it or there is no such sender. */
  abstract take(senderId: string): Promise<Epoch | null>;
  /** Renews the lease; returns false if another process has taken the lane. */
  abstract renew(senderId: string, epoch: Epoch): Promise<boolean>;
  /** Ends the lease, so that the next owner need not wait until it expires. */
  abstract release(senderId: string, epoch: Epoch): Promise<void>;
  /** Locks the lane for the rest of the surrounding transaction; returns false if its epoch is later. */
  abstract hold(senderId: string, epoch: Epoch): Promise<boolean>;
  /** Records why the lane waits; null: it does not. */
  abstract showThrottle(senderId: string, epoch: Epoch, throttle: LaneThrottle | null): Promise<void>;
}
