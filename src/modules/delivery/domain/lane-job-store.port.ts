import type { HeaderMedia } from '../../templates/domain/sendable-template';
import type { JobStop } from './job-stop';
import type { Epoch } from './lane-leases.port';
import type { OutcomeCounts } from './recipient-store.port';

/** What a lane sees of a job that is not finished. */
export interface LaneJob {
  id: string;
  accountId: string;
  status: 'Queued' | 'Processing' | 'Paused' | 'Cancelled' | 'Failed';
  revisionId: string;
  headerMedia: HeaderMedia | null;
  totalRecipients: number;
  /** Next position whose first attempt may be claimed. */
  cursor: number;
  settledBelow: number;
  /** Its validity is over: no attempt begins any more. */
  expired: boolean;
  /** No first attempt may be claimed now: the messaging tier has no room for the next recipient. */
  held: boolean;
  laneEpoch: Epoch;
  successfullySent: number;
  failed: number;
  unknownInGrace: number;
  /** A retry has come due. */
  retryDue: boolean;
  /** Some retry is waiting, due or not. */
  retryWaiting: boolean;
  /** A later attempt is in flight. */
  sending: boolean;
  /** An unknown outcome has outlived its grace time. */
  graceOver: boolean;
}

/** What a claim of first attempts, or their expiry, writes into the job. */
export interface CursorMove {
  to: number;
  settledBelow: number;
  /** Recipients that are skipped on the way. */
  skipped: number;
  /** Until when which messaging tier has no room for the recipient at the new cursor. */
  heldUntil: Date | null;
  heldByTier: string | null;
  /** The recipients on the way fail, since the validity of the job is over. */
  expired: boolean;
}

/** A job under its lock. */
export interface LockedJob {
  id: string;
  accountId: string;
  /** It was cancelled or failed: nothing of it is retried. */
  ended: boolean;
  templateName: string;
  languageCode: string;
  revisionId: string;
  headerMedia: HeaderMedia | null;
  reference: string | null;
}

/** What a batch of changes adds to the counters of a job; each may be negative. */
export interface CounterChange {
  successfullySent: number;
  failed: number;
  skipped: number;
  unknown: number;
  unknownInGrace: number;
}

/** Jobs as lanes work on them. Every method joins the surrounding unit of work; epochs are compared on the job's own row. */
export abstract class LaneJobStore {
  /** The unfinished jobs of the sender that are not at rest, oldest first. */
  abstract unfinished(senderId: string): Promise<LaneJob[]>;
  /** Stamps the epoch on every unfinished job of the sender that is not at rest; waits for claims that are open under an older one. */
  abstract adopt(senderId: string, epoch: Epoch): Promise<void>;
  /**
   * Puts those of these paused jobs at rest that need no lane: nothing of them is in flight or unknown, and something is left to
   * be sent. A job at rest has no epoch; a change of its status or counters ends the rest. Needs a unit of work.
   */
  abstract putAtRest(ids: readonly string[], epoch: Epoch): Promise<void>;
  /** Jobs of the sender with first attempts that may be in flight: those from `settledBelow` up to the cursor. */
  abstract withFirstAttempts(
    senderId: string,
    epoch: Epoch,
  ): Promise<{ id: string; settledBelow: number; cursor: number }[]>;
  /** Raises `settledBelow` to the cursor in every unfinished job of the sender. */
  abstract settleBelowCursor(senderId: string, epoch: Epoch): Promise<void>;
  /**
   * Moves the cursor of a running job. False, and nothing changes, when its epoch, status or cursor has changed since it
   * was read, or when its validity is not as the move assumes.
   */
  abstract moveCursor(job: LaneJob, epoch: Epoch, move: CursorMove): Promise<boolean>;
  /** Locks a job that runs, is valid and belongs to the epoch; false when it is none. */
  abstract lockRunning(jobId: string, epoch: Epoch): Promise<boolean>;
  /** Raises `settledBelow`; it never falls. */
  abstract raiseSettledBelow(jobId: string, epoch: Epoch, settledBelow: number): Promise<void>;
  /** Ends a job whose counters are complete; false when they are not. */
  abstract complete(jobId: string, epoch: Epoch): Promise<boolean>;
  /** Sets the counters of a job to the counts of its rows; false when they are not as `seen` any more. */
  abstract repair(seen: LaneJob, epoch: Epoch, counted: OutcomeCounts): Promise<boolean>;
  /** Pauses or fails a running job and says why; false when it does not run. */
  abstract stop(jobId: string, epoch: Epoch, stop: JobStop): Promise<boolean>;

  /** Locks jobs in the order of their ids; `now` is the database's time. */
  abstract lock(ids: readonly string[]): Promise<{ now: Date; jobs: LockedJob[] }>;
  /** Adds to the counters of a locked job. */
  abstract addToCounters(jobId: string, change: CounterChange): Promise<void>;
}
