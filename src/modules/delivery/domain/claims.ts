import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import type { Sender } from '../../accounts/domain/sender';
import { OptOutCheck } from '../../sending/domain/opt-out-check.service';
import { EXPIRED, OPTED_OUT } from '../../sending/domain/send-state';
import { TierBudget } from '../../sending/domain/tier-budget.service';
import { type LaneJob, LaneJobStore } from './lane-job-store.port';
import type { Epoch } from './lane-leases.port';
import { type ClaimedRecipient, type OpenRecipient, RecipientStore } from './recipient-store.port';

/** First attempts that were claimed; `cursor` is where the job's cursor stands now. */
export interface FirstAttempts {
  recipients: ClaimedRecipient[];
  /** Recipients that have opted out and were recorded as skipped. */
  skipped: number;
  cursor: number;
  /** Until when the messaging tier has no room for the recipient at the cursor; null when it has. */
  heldUntil: Date | null;
}

/** Later attempts that were claimed. */
export interface Retries {
  recipients: ClaimedRecipient[];
  /** Those of them whose person has opted out since the first attempt: nothing may leave. */
  optedOut: ClaimedRecipient[];
}

/** What becomes of the recipients that a claim of first attempts has read. */
export interface FirstAttemptsDecision {
  leaving: OpenRecipient[];
  skipped: OpenRecipient[];
  cursor: number;
}

/** The job has changed since it was read; undoes what the claim took beside it. */
class ClaimLostError extends Error {}

/** Positions that one claim may search for open ones. */
const CLAIM_RANGE = 5000;

/**
 * Claims attempts, committed before their requests leave. The cursor is the claim of first attempts: it moves past exactly
 * those that leave now, are skipped or already have an outcome, and stops where the messaging tier has no room.
 */
@Injectable()
export class Claims {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: LaneJobStore,
    private readonly recipients: RecipientStore,
    private readonly optOutCheck: OptOutCheck,
    private readonly tierBudget: TierBudget,
  ) {}

  /** Claims first attempts of at most `limit` recipients from the cursor on; null when the job has changed since it was read. */
  firstAttempts(
    job: LaneJob,
    epoch: Epoch,
    limit: number,
    settledBelow: number,
    sender: Sender,
  ): Promise<FirstAttempts | null> {
    const claim = this.unitOfWork.run(async () => {
      const below = Math.min(job.cursor + CLAIM_RANGE, job.totalRecipients + 1);
      const open = await this.recipients.open(job.id, job.cursor, below, limit);
      const optedOut = await this.optedOut(job, open);
      const wishes = open
        .filter(({ phone }) => !optedOut.has(phone))
        .map(({ phone, messageId }) => ({ person: phone, messageId }));
      const { granted, until } = await this.tierBudget.takeInOrder(sender, wishes);
      const end = open.length < limit ? below : open.at(-1)!.position + 1;
      const { leaving, skipped, cursor } = decide(open, optedOut, granted, end);
      await this.moveCursor(job, epoch, {
        to: cursor,
        settledBelow,
        skipped: skipped.length,
        heldUntil: until,
        heldByTier: sender.messagingTier,
        expired: false,
      });
      const passed = [...leaving, ...skipped].map(({ position }) => position);
      // Between reading and locking, a recipient may have been settled and the person erased.
      if (await this.recipients.anySettled(job.id, passed)) throw new ClaimLostError();
      if (skipped.length > 0) {
        const positions = skipped.map(({ position }) => position);
        await this.recipients.skip(job.id, positions, OPTED_OUT);
      }
      const recipients = leaving.map((recipient) => ({ ...recipient, jobId: job.id, attempt: 1 }));
      return { recipients, skipped: skipped.length, cursor, heldUntil: until };
    });
    return nullIfLost(claim);
  }

  /** Begins the next attempt of at most `limit` recipients whose retry is due; none when the job does not run. */
  retries(job: LaneJob, epoch: Epoch, limit: number): Promise<Retries> {
    return this.unitOfWork.run(async () => {
      if (!(await this.jobs.lockRunning(job.id, epoch))) return { recipients: [], optedOut: [] };
      const claimed = await this.recipients.claimDue(job.id, epoch, limit);
      const optedOut = await this.optedOut(job, claimed);
      return {
        recipients: claimed.filter(({ phone }) => !optedOut.has(phone)),
        optedOut: claimed.filter(({ phone }) => optedOut.has(phone)),
      };
    });
  }

  /**
   * Fails who is open among the next `limit` recipients from the cursor on, since the validity of the job is over; the new
   * cursor, or null when the job has changed since it was read.
   */
  expire(job: LaneJob, epoch: Epoch, limit: number, settledBelow: number): Promise<number | null> {
    const expiry = this.unitOfWork.run(async () => {
      const cursor = Math.min(job.cursor + limit, job.totalRecipients + 1);
      const none = { skipped: 0, heldUntil: null, heldByTier: null };
      await this.moveCursor(job, epoch, { ...none, to: cursor, settledBelow, expired: true });
      await this.recipients.failOpen(job.id, job.cursor, cursor, EXPIRED);
      return cursor;
    });
    return nullIfLost(expiry);
  }

  private async moveCursor(...move: Parameters<LaneJobStore['moveCursor']>): Promise<void> {
    if (!(await this.jobs.moveCursor(...move))) throw new ClaimLostError();
  }

  private optedOut(job: LaneJob, recipients: readonly OpenRecipient[]): Promise<Set<string>> {
    const people = recipients.map(({ phone }) => phone);
    return this.optOutCheck.among(job.accountId, people, job.revisionId);
  }
}

/**
 * Decides a claim of first attempts: `open` are the recipients up to the position `end`, in order; `granted` says for each of
 * them that has not opted out whether the messaging tier has room.
 */
export function decide(
  open: readonly OpenRecipient[],
  optedOut: ReadonlySet<string>,
  granted: readonly boolean[],
  end: number,
): FirstAttemptsDecision {
  const willing = open.filter(({ phone }) => !optedOut.has(phone));
  const cursor = willing[granted.indexOf(false)]?.position ?? end;
  return {
    leaving: willing.filter(({ position }) => position < cursor),
    skipped: open.filter(({ phone, position }) => optedOut.has(phone) && position < cursor),
    cursor,
  };
}

function nullIfLost<T>(claim: Promise<T>): Promise<T | null> {
  return claim.catch((error: unknown) => {
    if (error instanceof ClaimLostError) return null;
    throw error;
  });
}
