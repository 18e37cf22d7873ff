import type { Sender } from '../../accounts/domain/sender';
import type { SendState } from '../../sending/domain/send-state';
import type { HeaderMedia } from '../../templates/domain/sendable-template';
import type { JobStop } from './job-stop';

/** The right to send for a sender, until somebody else takes it with a higher epoch. A bigint as text. */
export type Epoch = string;

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
  /** Its validity is over: nothing of it is begun any more. */
  expired: boolean;
  /** No first attempt may be claimed now: the messaging tier has no room for its next recipient. */
  held: boolean;
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

/** One recipient whose attempt has been claimed: its request may leave now. */
export interface ClaimedRecipient {
  jobId: string;
  position: number;
  messageId: string;
  attempt: number;
  phone: string;
  parameters: string[];
  /** The person has opted out since the first attempt: nothing may leave, and the attempt is answered with `unwanted`. */
  unwanted: boolean;
}

/** First attempts that were claimed; `cursor` is where the job's cursor stands now. */
export interface FirstAttempts {
  recipients: ClaimedRecipient[];
  /** Passed by because they have opted out, and recorded as skipped. */
  skipped: number;
  cursor: number;
  /** Until when the messaging tier has no room for the recipient at the cursor; null when it has. */
  heldUntil: Date | null;
}

/** A recipient as it stands in the database, under the lock of its job. */
export interface RecipientState extends SendState {
  position: number;
  rowNumber: number;
  messageId: string;
  phone: string;
  parameters: string[];
}

/** A job under its lock, with some of its recipients. */
export interface LockedJob {
  id: string;
  accountId: string;
  /** It was cancelled or failed: nothing of it is tried again. */
  ended: boolean;
  templateName: string;
  languageCode: string;
  revisionId: string;
  headerMedia: HeaderMedia | null;
  reference: string | null;
  recipients: RecipientState[];
}

/** What a batch of changes adds to the counters of a job; each may be negative. */
export interface CounterChange {
  successfullySent: number;
  failed: number;
  skipped: number;
  unknown: number;
  unknownInGrace: number;
}

/** How many recipients of a job ended in which way, counted from their rows. */
export interface JobProof {
  sent: number;
  failed: number;
  open: number;
  inGrace: number;
}

/** Why a lane waits, and until when. */
export interface LaneThrottle {
  reason: string;
  until: Date;
}

/** The rows that a lane works on; each method is atomic, those of the second half join the surrounding unit of work. */
export abstract class LaneStore {
  /** Senders that have runnable work and whose lane nobody holds. */
  abstract sendersToRun(): Promise<string[]>;
  /**
   * Takes the lane unless somebody holds it: raises the epoch, stamps it on every unfinished job, and makes unknown
   * what was in flight under an older one. `joined` runs in the same transaction.
   */
  abstract take(senderId: string, joined: (epoch: Epoch) => Promise<void>): Promise<Epoch | null>;
  /** Prolongs the lease; false when the lane was taken by somebody else. */
  abstract renew(senderId: string, epoch: Epoch): Promise<boolean>;
  /** Gives the lane back, so that the next one need not wait for the lease to end. */
  abstract giveBack(senderId: string, epoch: Epoch): Promise<void>;
  /** Adopts new jobs and reads all unfinished ones of the sender, oldest first. */
  abstract look(senderId: string, epoch: Epoch): Promise<{ jobs: LaneJob[]; singleDue: boolean }>;
  /**
   * Claims first attempts of at most `limit` recipients from `cursor` on, as many as the sender's messaging tier has room
   * for; null when the job is not as it was seen.
   */
  abstract claimFirst(
    job: LaneJob,
    epoch: Epoch,
    limit: number,
    settledBelow: number,
    sender: Sender,
  ): Promise<FirstAttempts | null>;
  /**
   * Fails who is open among the next `limit` recipients from `cursor` on, since the validity of the job is over; answers the
   * new cursor, or null when the job is not as it was seen.
   */
  abstract expireFirst(job: LaneJob, epoch: Epoch, limit: number, settledBelow: number): Promise<number | null>;
  /** Begins the next attempt of at most `limit` recipients whose retry is due, and tells who has opted out since. */
  abstract claimRetries(jobId: string, epoch: Epoch, limit: number): Promise<ClaimedRecipient[]>;
  /** Later attempts that were claimed under `epoch` and have no recorded answer; at most 500. */
  abstract laterAttempts(jobId: string, epoch: Epoch): Promise<{ position: number; attempt: number }[]>;
  /** Raises `settled_below`; it never falls. */
  abstract raiseSettledBelow(jobId: string, epoch: Epoch, settledBelow: number): Promise<void>;
  /** Ends the lane's part of a job whose last recipient has settled: counters that are complete stand as they are. */
  abstract complete(jobId: string, epoch: Epoch): Promise<boolean>;
  /** Counts a job's recipients from their rows, in ranges of positions, giving the connection back in between. */
  abstract prove(jobId: string): Promise<JobProof>;
  /** Sets the counters of a job to what its rows say; false when they are not as `seen` any more. */
  abstract repair(seen: LaneJob, epoch: Epoch, proof: JobProof): Promise<boolean>;
  /** Pauses or fails a running job and says why; false when it does not run. */
  abstract stop(jobId: string, epoch: Epoch, stop: JobStop): Promise<boolean>;
  /** Shows why the lane waits; null when it does not. */
  abstract showThrottle(senderId: string, epoch: Epoch, throttle: LaneThrottle | null): Promise<void>;

  /** Holds the lane for the rest of the surrounding transaction; false when it belongs to a later epoch. */
  abstract hold(senderId: string, epoch: Epoch): Promise<boolean>;
  /** Locks jobs in the order of their ids and reads the recipients at these positions; `now` is the database's time. */
  abstract lockRecipients(
    at: readonly { jobId: string; position: number }[],
  ): Promise<{ now: Date; jobs: LockedJob[] }>;
  /** Locks a job and reads at most `limit` of its recipients whose grace time is over, or that wait for a retry. */
  abstract lockWaiting(
    jobId: string,
    which: 'grace over' | 'retry',
    limit: number,
  ): Promise<{ now: Date; jobs: LockedJob[] }>;
  /** Writes recipients of a locked job; no request of theirs is out any more. */
  abstract saveRecipients(jobId: string, recipients: readonly RecipientState[]): Promise<void>;
  /** Adds to the counters of a locked job. */
  abstract addToCounters(jobId: string, change: CounterChange): Promise<void>;
}
