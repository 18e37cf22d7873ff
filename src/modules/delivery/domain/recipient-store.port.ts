import type { Problem, SendState } from '../../sending/domain/send-state';
import type { Epoch } from './lane-leases.port';

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

/** How many recipients of a job ended in which way, counted from their rows. */
export interface OutcomeCounts {
  sent: number;
  failed: number;
  open: number;
  inGrace: number;
}

/** The recipients of jobs. Every method joins the surrounding unit of work; what writes needs the lock of the job. */
export abstract class RecipientStore {
  /** At most `limit` recipients without an outcome, with `from` ≤ position < `below`, in the order of their positions. */
  abstract open(jobId: string, from: number, below: number, limit: number): Promise<OpenRecipient[]>;
  /** Whether one of these positions has an outcome. */
  abstract anySettled(jobId: string, positions: readonly number[]): Promise<boolean>;
  /** Gives these positions the outcome Skipped. */
  abstract skip(jobId: string, positions: readonly number[], problem: Problem): Promise<void>;
  /** Fails those without an outcome with `from` ≤ position < `below`, and adds them to the job's counter. */
  abstract failOpen(jobId: string, from: number, below: number, problem: Problem): Promise<void>;
  /** Begins the next attempt, under `epoch`, of at most `limit` recipients whose retry is due, the longest due first. */
  abstract claimDue(jobId: string, epoch: Epoch, limit: number): Promise<ClaimedRecipient[]>;
  /** Later attempts that were claimed under `epoch` and have no recorded answer; at most 500. */
  abstract laterAttempts(jobId: string, epoch: Epoch): Promise<{ position: number; attempt: number }[]>;
  /** Makes unknown, and counts, first attempts with `from` ≤ position < `below` that have neither outcome nor retry. */
  abstract strandFirstAttempts(jobId: string, from: number, below: number): Promise<void>;
  /** Makes unknown, and counts, the sender's later attempts that were claimed under an older epoch. */
  abstract strandLaterAttempts(senderId: string, epoch: Epoch): Promise<void>;
  /** Counts a job's recipients from their rows, in ranges of positions, giving the connection back in between. */
  abstract countOutcomes(jobId: string): Promise<OutcomeCounts>;

  /** The recipients at these positions. */
  abstract at(places: readonly { jobId: string; position: number }[]): Promise<RecipientState[]>;
  /** At most `limit` recipients whose unknown outcome has outlived its grace time, or that wait for a retry. */
  abstract waiting(jobId: string, which: 'grace over' | 'retry', limit: number): Promise<RecipientState[]>;
  /** Writes states; no request of these recipients is out any more. */
  abstract save(jobId: string, recipients: readonly RecipientState[]): Promise<void>;
}
