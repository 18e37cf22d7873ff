import type { MessagingTier } from '../../accounts/domain/sender';
import type { Problem, SendState } from '../../sending/domain/send-state';
import type { TemplateExtras } from '../../templates/domain/template-extras';
import type { JobStop } from './job-stop';
import type { Epoch } from './lane-leases.port';

/** The state of an unfinished job for its lane. */
export interface LaneJob {
  id: string;
  accountId: string;
  status: 'Scheduled' | 'Queued' | 'Processing' | 'Paused' | 'Cancelled' | 'Failed';
  revisionId: string;
  extras: TemplateExtras | null;
  /** The trace of the request that created it; absent or null: none. */
  traceparent?: string | null;
  totalRecipients: number;
  /** Next position whose first attempt may be claimed. */
  cursor: number;
  settledBelow: number;
  /** Its validity has ended: no more attempts begin. */
  expired: boolean;
  /** No first attempt may be claimed now: the messaging tier has no room for the next recipient, or the template is limited. */
  held: boolean;
  /** No attempt may be claimed now: the send window is closed. */
  closed: boolean;
  laneEpoch: Epoch;
  successfullySent: number;
  failed: number;
  unknownInGrace: number;
  /** A retry is due. */
  retryDue: boolean;
  /** A retry is waiting, due or not. */
  retryWaiting: boolean;
  /** A later attempt is in flight. */
  sending: boolean;
  /** The grace time of an unknown outcome has ended. */
  graceOver: boolean;
}

/** A job of another sender that waits until `until`. */
export interface HeldJob extends Pick<LaneJob, 'id' | 'accountId'> {
  until: Date;
}

/** A claim of first attempts: the positions before the new cursor to send to and to skip. */
export interface FirstClaim {
  toSend: readonly number[];
  skipped: readonly number[];
  cursor: number;
  settledBelow: number;
  /** Until when the tier `heldByTier` has no room for the recipient at the new cursor. */
  heldUntil: Date | null;
  heldByTier: string | null;
}

/** A locked job. */
export interface LockedJob {
  id: string;
  accountId: string;
  senderId: string;
  /** It was cancelled or failed: nothing is retried. */
  ended: boolean;
  /** It is complete: open recipients were never tried and count as failed. */
  completed: boolean;
  /** No recipient from this position on was claimed. */
  cursor: number;
  templateName: string;
  languageCode: string;
  revisionId: string;
  extras: TemplateExtras | null;
  reference: string | null;
}

/** Changes of the counters of a job by a batch; may be negative. */
export interface CounterChange {
  successfullySent: number;
  failed: number;
  skipped: number;
  unknown: number;
  unknownInGrace: number;
}

/** A recipient without an outcome. */
export interface OpenRecipient {
  position: number;
  messageId: string;
  /** The phone number, or the user id if the number is unknown; empty: erased. */
  person: string;
  /** The user id beside the number; null: none. */
  userId: string | null;
  parameters: string[];
  /** Its own extras, in addition to the job's; null: none. */
  own: TemplateExtras | null;
}

/** An open recipient, read to claim its first attempt. */
export interface NextRecipient extends OpenRecipient {
  /** The committed messaging tier of the job's sender, which may be cached elsewhere; null only when the sender's row is gone. */
  messagingTier: MessagingTier | null;
}

/** A recipient with a claimed attempt, whose request may be sent. */
export interface ClaimedRecipient extends OpenRecipient {
  jobId: string;
  attempt: number;
}

/** The state of a recipient in the database. */
export interface RecipientState extends SendState {
  jobId: string;
  position: number;
  rowNumber: number;
  messageId: string;
  person: string;
  /** By which the recipient was given although the number is known; else null. */
  userId: string | null;
  parameters: string[];
  own: TemplateExtras | null;
  /** Its own reference; null: that of its job. */
  reference: string | null;
}

/** A recipient under the lock of its job. */
export interface LockedRecipient extends RecipientState {
  job: LockedJob;
}

/** Locked recipients, and the database's time when they were locked. */
export interface LockedRecipients {
  now: Date;
  rows: LockedRecipient[];
}

/** The recipients of a job by outcome, counted from their rows. */
export interface OutcomeCounts {
  sent: number;
  failed: number;
  /** Claimed, thus below the cursor. */
  open: number;
  inGrace: number;
}

/**
 * Jobs and recipients for lanes. Every method joins the surrounding unit of work; epochs are compared with the row of the job. If a
 * claim returns false, it is lost and the unit of work must be rolled back.
 */
export abstract class LaneJobStore {
  /** The unfinished jobs of the sender that are not at rest, oldest first. */
  abstract unfinished(senderId: string): Promise<LaneJob[]>;
  /** Sets the epoch of every unfinished job of the sender that is not at rest; waits for open claims under an older one. */
  abstract adopt(senderId: string, epoch: Epoch): Promise<void>;
  /** Adopts the jobs; recipients in flight under an older epoch become unknown and are counted. */
  abstract takeOver(senderId: string, epoch: Epoch): Promise<void>;
  /**
   * Puts those of these Paused or Scheduled jobs at rest that need no lane: nothing is in flight or unknown, and something is left to
   * send. A job at rest has no epoch; a change of its status or counters wakes it. Needs a unit of work.
   */
  abstract putAtRest(ids: readonly string[], epoch: Epoch): Promise<void>;

  /**
   * At most `limit` recipients of a job of the sender without an outcome, with `from` ≤ position < `below`, in order of position.
   */
  abstract open(senderId: string, jobId: string, from: number, below: number, limit: number): Promise<NextRecipient[]>;
  /**
   * Moves the cursor of a running job and skips recipients for `problem`. Returns false if the job's epoch, status or cursor has
   * changed since it was read, its validity has ended, its send window is closed, the platform limits its template, or one of these
   * recipients has an outcome. Times are compared while the job is locked.
   */
  abstract claimFirst(job: LaneJob, epoch: Epoch, claim: FirstClaim, problem: Problem): Promise<boolean>;
  /** Begins the next attempt of at most `limit` recipients whose retry is due, the longest due first; none of a job that is not running or valid, is outside its send window or has another epoch. */
  abstract claimDue(jobId: string, epoch: Epoch, limit: number): Promise<ClaimedRecipient[]>;
  /**
   * Moves the cursor of a running job whose validity has ended; open recipients before it fail for `problem` and are counted. Returns
   * false if the job has changed since it was read.
   */
  abstract expire(
    job: LaneJob,
    epoch: Epoch,
    move: Pick<FirstClaim, 'cursor' | 'settledBelow'>,
    problem: Problem,
  ): Promise<boolean>;
  /** At most 500 later attempts claimed under `epoch` without a recorded answer. */
  abstract laterAttempts(jobId: string, epoch: Epoch): Promise<{ position: number; attempt: number }[]>;

  /** Locks these recipients and first their jobs, in order of id. */
  abstract lock(recipients: readonly { jobId: string; position: number }[]): Promise<LockedRecipients>;
  /** Locks at most `limit` recipients of a job whose outcome is unknown and whose grace time has ended, or that wait for a retry. */
  abstract lockWaiting(jobId: string, which: 'grace over' | 'retry', limit: number): Promise<LockedRecipients>;
  /** Saves states of locked recipients of one job and adds to its counters; these recipients are no longer in flight. */
  abstract save(jobId: string, recipients: readonly RecipientState[], counters: CounterChange): Promise<void>;

  /** Raises `settledBelow`; never lowers it. */
  abstract raiseSettledBelow(jobId: string, epoch: Epoch, settledBelow: number): Promise<void>;
  /**
   * Marks a job with only unknown outcomes left and returns when the grace time of the last one ends; null if it is already marked or
   * has none.
   */
  abstract beginUnknownWait(jobId: string, epoch: Epoch): Promise<Date | null>;
  /** Delays a running job, as the platform limits its template; returns until when, null if it is not running. */
  abstract hold(jobId: string, epoch: Epoch, forMs: number): Promise<Date | null>;
  /**
   * Delays the running jobs of the other senders of this sender's business account that have recipients to try, as the platform limits
   * its template messages; returns them with until when. Omits jobs that wait already, and those that are locked: a claim may hold them.
   */
  abstract holdOfOtherSenders(senderId: string, forMs: number): Promise<HeldJob[]>;
  /** Pauses or fails a running job with the reason; returns false if it is not running. */
  abstract stop(jobId: string, epoch: Epoch, stop: JobStop): Promise<boolean>;
  /** Counts a job's recipients from their rows, in ranges of positions; releases the connection in between. */
  abstract countOutcomes(jobId: string, cursor: number): Promise<OutcomeCounts>;
  /**
   * Recipients below the cursor without an outcome that wait for no retry become unknown and are counted, as in a takeover, in ranges of
   * positions. Does nothing if the job has another epoch.
   */
  abstract strandOpen(jobId: string, epoch: Epoch, cursor: number): Promise<void>;
  /** Ends a job whose counters are complete; returns false if they are not. */
  abstract complete(jobId: string, epoch: Epoch): Promise<boolean>;
  /** Sets the counters of a job to the counts of its rows; returns false if they differ from those of `seen`. */
  abstract repair(seen: LaneJob, epoch: Epoch, counted: OutcomeCounts): Promise<boolean>;
}
