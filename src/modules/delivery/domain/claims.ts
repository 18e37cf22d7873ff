import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import type { Sender } from '../../accounts/domain/sender';
import { OptOutCheck } from '../../sending/domain/opt-out-check';
import { EXPIRED, OPTED_OUT } from '../../sending/domain/send-state';
import { type ClaimedSingleSend, SingleSends } from '../../sending/domain/single-sends';
import { TierBudget } from '../../sending/domain/tier-budget';
import { type ClaimedRecipient, type LaneJob, LaneJobStore, type OpenRecipient } from './lane-job-store.port';
import { type Epoch, LaneLeases } from './lane-leases.port';

/** Claimed first attempts; `cursor` is the new cursor of the job. */
export interface FirstAttempts {
  recipients: ClaimedRecipient[];
  /** Number of recipients that have opted out and were recorded as skipped. */
  skipped: number;
  cursor: number;
  /** Until when the messaging tier has no room for the recipient at the cursor; null: it has room. */
  heldUntil: Date | null;
}

/** Claimed later attempts. */
export interface Retries {
  recipients: ClaimedRecipient[];
  /** Recipients that have opted out since the first attempt and must not be sent to. */
  optedOut: ClaimedRecipient[];
}

/** The recipients read by a claim of first attempts, by what happens to them. */
export interface FirstAttemptsPlan {
  toSend: OpenRecipient[];
  skipped: OpenRecipient[];
  cursor: number;
}

/** The job has changed since it was read; rolls back the claim. */
class ClaimLostError extends Error {}

function nullIfLost(error: unknown): null {
  if (error instanceof ClaimLostError) return null;
  throw error;
}

/** Maximum number of positions that one claim searches for open ones. */
const CLAIM_RANGE = 5000;

/**
 * Claims attempts for the owner of a lane; claims are committed before their requests are sent. First attempts are claimed by the cursor: it
 * moves past those that are sent now, are skipped or already have an outcome, and stops where the messaging tier has no room.
 */
@Injectable()
export class Claims {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly leases: LaneLeases,
    private readonly jobs: LaneJobStore,
    private readonly singleSends: SingleSends,
    private readonly optOutCheck: OptOutCheck,
    private readonly tierBudget: TierBudget,
  ) {}

  /** Claims at most `limit` due single sends; none for a past epoch. */
  singles(sender: Sender, epoch: Epoch, limit: number): Promise<ClaimedSingleSend[]> {
    return this.unitOfWork.run(async () => {
      if (!(await this.leases.hold(sender.id, epoch))) return [];
      return this.singleSends.claimDue(sender, epoch, limit);
    });
  }

  /** Claims first attempts of at most `limit` recipients from the cursor; null if the job has changed since it was read. */
  first(
    job: LaneJob,
    epoch: Epoch,
    limit: number,
    settledBelow: number,
    cached: Sender,
  ): Promise<FirstAttempts | null> {
    return this.unitOfWork
      .run(async () => {
        const below = Math.min(job.cursor + CLAIM_RANGE, job.totalRecipients + 1);
        const open = await this.jobs.open(cached.id, job.id, job.cursor, below, limit);
        const sender = { ...cached, messagingTier: open[0]?.messagingTier ?? cached.messagingTier };
        const optedOut = await this.optedOut(job, open);
        const requests = open
          .filter((recipient) => !optedOut.has(recipient))
          .map(({ person, messageId }) => ({ person, messageId }));
        const { granted, until } = await this.tierBudget.takeInOrder(sender, requests);
        const end = open.length < limit ? below : open.at(-1)!.position + 1;
        const { toSend, skipped, cursor } = decide(open, optedOut, granted, end);
        const claim = {
          toSend: toSend.map(({ position }) => position),
          skipped: skipped.map(({ position }) => position),
          ...{ cursor, settledBelow, heldUntil: until, heldByTier: sender.messagingTier },
        };
        if (!(await this.jobs.claimFirst(job, epoch, claim, OPTED_OUT))) throw new ClaimLostError();
        const recipients = toSend.map((recipient) => ({ ...recipient, jobId: job.id, attempt: 1 }));
        return { recipients, skipped: skipped.length, cursor, heldUntil: until };
      })
      .catch(nullIfLost);
  }

  /** Begins the next attempt of at most `limit` recipients whose retry is due; none if the job is not running. */
  retries(job: LaneJob, epoch: Epoch, limit: number): Promise<Retries> {
    return this.unitOfWork.run(async () => {
      const claimed = await this.jobs.claimDue(job.id, epoch, limit);
      const optedOut = await this.optedOut(job, claimed);
      return {
        recipients: claimed.filter((recipient) => !optedOut.has(recipient)),
        optedOut: claimed.filter((recipient) => optedOut.has(recipient)),
      };
    });
  }

  /**
   * Fails the open ones of the next `limit` recipients from the cursor, as the validity of the job has ended; returns the new cursor, or
   * null if the job has changed since it was read.
   */
  expire(job: LaneJob, epoch: Epoch, limit: number, settledBelow: number): Promise<number | null> {
    return this.unitOfWork
      .run(async () => {
        const cursor = Math.min(job.cursor + limit, job.totalRecipients + 1);
        if (!(await this.jobs.expire(job, epoch, { cursor, settledBelow }, EXPIRED))) throw new ClaimLostError();
        return cursor;
      })
      .catch(nullIfLost);
  }

  private optedOut<R extends OpenRecipient>(job: LaneJob, recipients: readonly R[]): Promise<ReadonlySet<R>> {
    return this.optOutCheck.among(job.accountId, recipients, job.revisionId);
  }
}

/**
 * Decides a claim of first attempts: `open` are the recipients up to position `end`, in order; `granted` contains, for each of them that
 * has not opted out, whether the messaging tier has room.
 */
export function decide(
  open: readonly OpenRecipient[],
  optedOut: ReadonlySet<OpenRecipient>,
  granted: readonly boolean[],
  end: number,
): FirstAttemptsPlan {
  const reachable = open.filter((recipient) => !optedOut.has(recipient));
  const cursor = reachable[granted.indexOf(false)]?.position ?? end;
  return {
    toSend: reachable.filter(({ position }) => position < cursor),
    skipped: open.filter((recipient) => optedOut.has(recipient) && recipient.position < cursor),
    cursor,
  };
}
