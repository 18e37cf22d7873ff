import type { ThrottleReason } from '../../bulk-jobs/domain/bulk-job';

/** The right to send for a sender, until another process takes it with a higher epoch. A bigint as text. */
export type Epoch = string;

/** Why a lane waits, and until when. */
export interface LaneThrottle {
  reason: ThrottleReason;
  until: Date;
}

/** The workers that are alive, and the lanes that they run together. */
export interface LaneCensus {
  workers: number;
  lanes: number;
}

/** Who owns which lane. Every method joins the surrounding unit of work. */
export abstract class LaneLeases {
  /** Senders that have runnable work and whose lane has no owner. */
  abstract sendersToRun(): Promise<string[]>;
  /** Reports that this process is alive and runs so many lanes; counts itself and the others that reported within 3 s. The
   * only process reports once. */
  abstract report(lanes: number): Promise<LaneCensus>;
  /** This process ends: its lanes fall to the others from now on. */
  abstract leave(): Promise<void>;
  /** Takes the lane and raises its epoch; null when another process owns it or there is no such sender. */
  abstract take(senderId: string): Promise<Epoch | null>;
  /** Prolongs the lease; false when another process has taken the lane. */
  abstract renew(senderId: string, epoch: Epoch): Promise<boolean>;
  /** Ends the lease, so that the next owner need not wait until it runs out. */
  abstract giveBack(senderId: string, epoch: Epoch): Promise<void>;
  /** Locks the lane for the rest of the surrounding transaction; false when it belongs to a later epoch. */
  abstract hold(senderId: string, epoch: Epoch): Promise<boolean>;
  /** Shows why the lane waits; null when it does not. */
  abstract showThrottle(senderId: string, epoch: Epoch, throttle: LaneThrottle | null): Promise<void>;
}
