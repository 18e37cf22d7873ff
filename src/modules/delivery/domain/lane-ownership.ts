import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import type { Sender } from '../../accounts/domain/sender';
import { OptOutCheck } from '../../sending/domain/opt-out-check.service';
import { EXPIRED, OPTED_OUT } from '../../sending/domain/send-state';
import { type ClaimedSingleSend, SingleSends } from '../../sending/domain/single-sends.service';
import { TierBudget } from '../../sending/domain/tier-budget.service';
import { type ClaimedRecipient, type LaneJob, LaneJobStore, type OpenRecipient } from './lane-job-store.port';
import { type Epoch, LaneLeases } from './lane-leases.port';

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

/** Jobs of one statement. */
const MAX_PUT_AT_REST = 1000;
/** Positions that one claim may search for open ones. */
const CLAIM_RANGE = 5000;

/**
 * Makes a process the owner of a lane and of the jobs in it, and claims attempts for it, committed before their requests leave.
 * The cursor is the claim of first attempts: it moves past exactly those that leave now, are skipped or already have an
 * outcome, and stops where the messaging tier has no room.
 */
@Injectable()
export class LaneOwnership {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly leases: LaneLeases,
    private readonly jobs: LaneJobStore,
    private readonly singleSends: SingleSends,
    private readonly optOutCheck: OptOutCheck,
    private readonly tierBudget: TierBudget,
  ) {}

  /**
   * Takes the lane and begins a new epoch: what was in flight under an older one becomes unknown, and its owner can claim
   * nothing any more. Null when another process owns the lane.
   */
  take(senderId: string): Promise<Epoch | null> {
    return this.unitOfWork.run(async () => {
      const epoch = await this.leases.take(senderId);
      if (epoch === null) return null;
      await this.jobs.takeOver(senderId, epoch);
      await this.singleSends.strand(senderId, epoch);
      return epoch;
    });
  }

  /**
   * Adopts new jobs and reads all unfinished ones of the sender, oldest first; none for an epoch that is over. Paused and
   * Scheduled jobs that need no lane are put at rest: from then on they are not among them.
   */
  async unfinishedJobs(senderId: string, epoch: Epoch): Promise<LaneJob[]> {
    let jobs = await this.jobs.unfinished(senderId);
    if (jobs.some(({ laneEpoch }) => BigInt(laneEpoch) < BigInt(epoch))) {
      await this.unitOfWork.run(async () => {
        if (await this.leases.hold(senderId, epoch)) await this.jobs.adopt(senderId, epoch);
      });
      jobs = await this.jobs.unfinished(senderId);
    }
    const owned = jobs.filter(({ laneEpoch }) => laneEpoch === epoch);
    const idle = owned.filter(needsNoLane).map(({ id }) => id);
    if (idle.length > 0) await this.unitOfWork.run(() => this.jobs.putAtRest(idle.slice(0, MAX_PUT_AT_REST), epoch));
    return owned;
  }

  /** Claims at most `limit` single sends that have come due; none for an epoch that is over. */
  claimSingles(sender: Sender, epoch: Epoch, limit: number): Promise<ClaimedSingleSend[]> {
    return this.unitOfWork.run(async () => {
      if (!(await this.leases.hold(sender.id, epoch))) return [];
      return this.singleSends.claimDue(sender, epoch, limit);
    });
  }

  /** Claims first attempts of at most `limit` recipients from the cursor on; null when the job has changed since it was read. */
  claimFirst(
    job: LaneJob,
    epoch: Epoch,
    limit: number,
    settledBelow: number,
    cached: Sender,
  ): Promise<FirstAttempts | null> {
    return this.unlessLost(async () => {
      const below = Math.min(job.cursor + CLAIM_RANGE, job.totalRecipients + 1);
      // Sent together: the tier costs no round trip of its own.
      const [open, sender] = await Promise.all([
        this.jobs.open(job.id, job.cursor, below, limit),
        this.tierBudget.current(cached),
      ]);
      const optedOut = await this.optedOut(job, open);
      const wishes = open
        .filter(({ phone }) => !optedOut.has(phone))
        .map(({ phone, messageId }) => ({ person: phone, messageId }));
      const { granted, until } = await this.tierBudget.takeInOrder(sender, wishes);
      const end = open.length < limit ? below : open.at(-1)!.position + 1;
      const { leaving, skipped, cursor } = decide(open, optedOut, granted, end);
      const claim = {
        leaving: leaving.map(({ position }) => position),
        skipped: skipped.map(({ position }) => position),
        ...{ cursor, settledBelow, heldUntil: until, heldByTier: sender.messagingTier },
      };
      if (!(await this.jobs.claimFirst(job, epoch, claim, OPTED_OUT))) throw new ClaimLostError();
      const recipients = leaving.map((recipient) => ({ ...recipient, jobId: job.id, attempt: 1 }));
      return { recipients, skipped: skipped.length, cursor, heldUntil: until };
    });
  }

  /** Begins the next attempt of at most `limit` recipients whose retry is due; none when the job does not run. */
  claimRetries(job: LaneJob, epoch: Epoch, limit: number): Promise<Retries> {
    return this.unitOfWork.run(async () => {
      const claimed = await this.jobs.claimDue(job.id, epoch, limit);
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
    return this.unlessLost(async () => {
      const cursor = Math.min(job.cursor + limit, job.totalRecipients + 1);
      if (!(await this.jobs.expire(job, epoch, { cursor, settledBelow }, EXPIRED))) throw new ClaimLostError();
      return cursor;
    });
  }

  private optedOut(job: LaneJob, recipients: readonly OpenRecipient[]): Promise<Set<string>> {
    const people = recipients.map(({ phone }) => phone);
    return this.optOutCheck.among(job.accountId, people, job.revisionId);
  }

  private unlessLost<T>(claim: () => Promise<T>): Promise<T | null> {
    return this.unitOfWork.run(claim).catch((error: unknown) => {
      if (error instanceof ClaimLostError) return null;
      throw error;
    });
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

/** Nothing of it is in flight or unknown, and something is left to be sent: it waits for a client or for its schedule. */
function needsNoLane(job: LaneJob): boolean {
  if (
    !['Paused', 'Scheduled'].includes(job.status) ||
    job.settledBelow < job.cursor ||
    job.sending ||
    job.unknownInGrace > 0
  )
    return false;
  return job.cursor <= job.totalRecipients || job.retryWaiting;
}
