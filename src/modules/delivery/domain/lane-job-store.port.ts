import type { Problem, SendState } from '../../sending/domain/send-state';
import type { TemplateExtras } from '../../templates/domain/template-extras';
import type { JobStop } from './job-stop';
import type { Epoch } from './lane-leases.port';

/** What a lane sees of a job that is not finished. */
export interface LaneJob {
  id: string;
  accountId: string;
  status: 'Scheduled' | 'Queued' | 'Processing' | 'Paused' | 'Cancelled' | 'Failed';
  revisionId: string;
  extras: TemplateExtras | null;
  totalRecipients: number;
  /** Next position whose first attempt may be claimed. */
  cursor: number;
  settledBelow: number;
  /** Its validity is over: no attempt begins any more. */
  expired: boolean;
  /** No first attempt may be claimed now: the messaging tier has no room for the next recipient. */
  held: boolean;
  /** No attempt may be claimed now: it is outside the job's send window. */
  closed: boolean;
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

/** A claim of first attempts: who leaves and who is skipped of those before the new cursor, by position. */
export interface FirstClaim {
  leaving: readonly number[];
  skipped: readonly number[];
  cursor: number;
  settledBelow: number;
  /** Until when which messaging tier has no room for the recipient at the new cursor. */
  heldUntil: Date | null;
  heldByTier: string | null;
}

/** A job under its lock. */
export interface LockedJob {
  id: string;
  accountId: string;
  /** It was cancelled or failed: nothing of it is retried. */
  ended: boolean;
  /** It came to its end: what is still open was never tried and counts as failed. */
  completed: boolean;
  templateName: string;
  languageCode: string;
  revisionId: string;
  extras: TemplateExtras | null;
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

/** A recipient that has no outcome yet. */
export interface OpenRecipient {
  position: number;
  messageId: string;
  phone: string;
  parameters: string[];
}

/** One recipient whose attempt has been claimed: its request may leave now. */
export interface ClaimedRecipient extends OpenRecipient {
  jobId: string;
  attempt: number;
}

/** A recipient as it stands in the database. */
export interface RecipientState extends SendState {
  jobId: string;
  position: number;
  rowNumber: number;
  messageId: string;
  phone: string;
  parameters: string[];
}

/** A recipient under the lock of its job. */
export interface LockedRecipient extends RecipientState {
  job: LockedJob;
}

/** Locked recipients, and the database's time at that moment. */
export interface LockedRecipients {
  now: Date;
  rows: LockedRecipient[];
}

/** How many recipients of a job ended in which way, counted from their rows. */
export interface OutcomeCounts {
  sent: number;
  failed: number;
  open: number;
  inGrace: number;
}

/**
 * Jobs and their recipients as lanes work on them. Every method joins the surrounding unit of work; epochs are compared on the
 * job's own row, and a false answer means that the claim is lost: the unit of work has to be undone.
 */
export abstract class LaneJobStore {
  /** The unfinished jobs of the sender that are not at rest, oldest first. */
  abstract unfinished(senderId: string): Promise<LaneJob[]>;
  /** Stamps the epoch on every unfinished job of the sender that is not at rest; waits for claims that are open under an older one. */
  abstract adopt(senderId: string, epoch: Epoch): Promise<void>;
  /** Adopts the jobs and makes unknown, and counts, what was in flight under an older epoch. */
  abstract takeOver(senderId: string, epoch: Epoch): Promise<void>;
  /**
   * Puts those of these jobs, Paused or Scheduled, at rest that need no lane: nothing of them is in flight or unknown, and something is left to
   * be sent. A job at rest has no epoch; a change of its status or counters ends the rest. Needs a unit of work.
   */
  abstract putAtRest(ids: readonly string[], epoch: Epoch): Promise<void>;

  /** At most `limit` recipients without an outcome, with `from` ≤ position < `below`, in the order of their positions. */
  abstract open(jobId: string, from: number, below: number, limit: number): Promise<OpenRecipient[]>;
  /**
   * Moves the cursor of a running job and skips recipients for `problem`. False when the job's epoch, status or cursor has
   * changed since it was read, its validity is over, its send window is closed, the platform limits its template, or one of these
   * recipients has an outcome by now. Times are those at which the lock of the job is held.
   */
  abstract claimFirst(job: LaneJob, epoch: Epoch, claim: FirstClaim, problem: Problem): Promise<boolean>;
  /** Begins the next attempt of at most `limit` recipients whose retry is due, the longest due first; none of a job that does not run, is not valid, is outside its send window or belongs to another epoch. */
  abstract claimDue(jobId: string, epoch: Epoch, limit: number): Promise<ClaimedRecipient[]>;
  /**
   * Moves the cursor of a running job whose validity is over, and fails for `problem`, and counts, who is open before it. False
   * when the job has changed since it was read.
   */
  abstract expire(
    job: LaneJob,
    epoch: Epoch,
    move: Pick<FirstClaim, 'cursor' | 'settledBelow'>,
    problem: Problem,
  ): Promise<boolean>;
  /** Later attempts that were claimed under `epoch` and have no recorded answer; at most 500. */
  abstract laterAttempts(jobId: string, epoch: Epoch): Promise<{ position: number; attempt: number }[]>;

  /** Locks the recipients at these positions under their jobs, which are locked in the order of their ids. */
  abstract lock(places: readonly { jobId: string; position: number }[]): Promise<LockedRecipients>;
  /** Locks at most `limit` recipients of a job whose unknown outcome has outlived its grace time, or that wait for a retry. */
  abstract lockWaiting(jobId: string, which: 'grace over' | 'retry', limit: number): Promise<LockedRecipients>;
  /** Writes states of locked recipients of one job and adds to its counters; no request of these recipients is out any more. */
  abstract save(jobId: string, recipients: readonly RecipientState[], counters: CounterChange): Promise<void>;

  /** Raises `settledBelow`; it never falls. */
  abstract raiseSettledBelow(jobId: string, epoch: Epoch, settledBelow: number): Promise<void>;
  /**
   * Marks a job of which nothing but unknown outcomes is left: when the grace time of the last one ends; null when it is marked
   * already, or has none.
   */
  abstract beginUnknownWait(jobId: string, epoch: Epoch): Promise<Date | null>;
  /** Lets a running job wait: the platform limits its template. Until when; null when it does not run. */
  abstract hold(jobId: string, epoch: Epoch, forMs: number): Promise<Date | null>;
  /** Pauses or fails a running job and says why; false when it does not run. */
  abstract stop(jobId: string, epoch: Epoch, stop: JobStop): Promise<boolean>;
  /** Counts a job's recipients from their rows, in ranges of positions, giving the connection back in between. */
  abstract countOutcomes(jobId: string): Promise<OutcomeCounts>;
  /**
   * Makes unknown, and counts, who has no outcome and waits for no retry, as a takeover does, in ranges of positions; nobody where
   * the job belongs to another epoch.
   */
  abstract strandOpen(jobId: string, epoch: Epoch): Promise<void>;
  /** Ends a job whose counters are complete; false when they are not. */
  abstract complete(jobId: string, epoch: Epoch): Promise<boolean>;
  /** Sets the counters of a job to the counts of its rows; false when they are not as `seen` any more. */
  abstract repair(seen: LaneJob, epoch: Epoch, counted: OutcomeCounts): Promise<boolean>;
}
