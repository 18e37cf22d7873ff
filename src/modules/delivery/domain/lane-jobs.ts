import type { Sender } from '../../accounts/domain/sender';
import type { Answer } from '../../sending/domain/answer';
import { FirstAttemptWindow } from './first-attempt-window';
import { HELD_BACK } from './lane-flights';
import type { LaneJournal } from './lane-journal';
import type { ClaimedRecipient, JobProof, LaneJob, LaneStore } from './lane-store.port';
import type { Lease } from './lease';
import { type JobStop, refusedByPlatform, refusedInRow } from './job-stop';
import type { Recorder } from './recorder';

/** A job as the lane last saw it, with what only the lane knows. */
export interface TrackedJob {
  seen: LaneJob;
  /** There are positions whose first attempt may be claimed. */
  readonly hasFirst: boolean;
  readonly firstAttempts: FirstAttemptWindow;
  /** Positions whose later attempt is in flight. */
  readonly laterAttempts: Set<number>;
  refusalsInRow: number;
  /** Why it is to be stopped; nothing is claimed while that is not in the database. */
  stop: JobStop | null;
  /** It was not as it was seen (paused, cancelled): nothing is claimed until the next look. */
  stale: boolean;
}

interface Attempt {
  position: number;
  attempt: number;
}

const MAX_REFUSALS_IN_ROW = 20;
/** Recipients of one step: the one connection of the embedded database is not held for longer. */
const MAX_EXPIRED = 2000;

/** The unfinished jobs of one lane: whose turn it is, what is claimed of them, and how they end. */
export class LaneJobs {
  private readonly tracked = new Map<string, TrackedJob>();
  private readonly ending = new Map<string, Promise<void>>();
  /** Jobs whose rows did not add up to their counters at the first look. */
  private readonly doubted = new Set<string>();

  constructor(
    private readonly store: LaneStore,
    private readonly recorder: Recorder,
    private readonly journal: LaneJournal,
    private readonly lease: Lease,
  ) {}

  /** Something of these jobs can go on now or soon. */
  get busy(): boolean {
    return [...this.tracked.values()].some(
      ({ seen }) => isExpiring(seen) || (isRunning(seen) && (hasFirst(seen) || seen.retryWaiting)),
    );
  }

  /** Recipients of a job whose validity is over are still to be settled: look again soon. */
  get expiring(): boolean {
    return [...this.tracked.values()].some(({ seen }) => isExpiring(seen));
  }

  /** Recipients without an outcome, as the jobs were last seen. */
  get waiting(): number {
    let sum = 0;
    for (const { seen } of this.tracked.values()) {
      if (!hasEnded(seen)) sum += seen.totalRecipients - seen.successfullySent - seen.failed - seen.unknownInGrace;
    }
    return sum;
  }

  /** Takes over what the database says, and does what has come due. */
  async see(jobs: readonly LaneJob[]): Promise<void> {
    const gone = new Set(this.tracked.keys());
    for (const seen of jobs) {
      gone.delete(seen.id);
      const job = this.tracked.get(seen.id) ?? track(seen);
      const lost = await this.lostClaims(job, seen);
      job.seen = seen;
      job.stale = false;
      this.tracked.set(seen.id, job);
      await this.giveBack(job, lost);
      await this.settleDue(job);
    }
    for (const id of gone) {
      if (!this.tracked.get(id)!.firstAttempts.empty) continue;
      this.tracked.delete(id);
      this.doubted.delete(id);
    }
  }

  /** Whether `next` has a job to offer. */
  hasNext(): boolean {
    return [...this.tracked.values()].some(isClaimable);
  }

  /** The job whose turn it is; while the platform is probed, one whose recipients were not tried yet goes first. */
  next(probing: boolean): TrackedJob | null {
    const jobs = [...this.tracked.values()].filter(isClaimable);
    const job = (probing ? jobs.find(({ hasFirst }) => hasFirst) : undefined) ?? jobs[0];
    if (!job) return null;
    // The map keeps the order of their turns.
    this.tracked.delete(job.seen.id);
    this.tracked.set(job.seen.id, job);
    return job;
  }

  /** Claims first attempts; empty when the job is not as it was seen. */
  async claimFirst(job: TrackedJob, limit: number, sender: Sender): Promise<ClaimedRecipient[]> {
    const settledBelow = job.firstAttempts.settledBelow(job.seen.cursor);
    const claim = await this.store.claimFirst(job.seen, this.lease.epoch, limit, settledBelow, sender);
    if (!claim) {
      job.stale = true;
      return [];
    }
    for (const { position } of claim.recipients) job.firstAttempts.opened(position);
    job.seen = { ...job.seen, cursor: claim.cursor, held: claim.heldUntil !== null };
    if (claim.heldUntil) this.journal.held(job.seen.id, claim.heldUntil);
    return claim.recipients;
  }

  /** Claims later attempts that have come due; who has opted out meanwhile is skipped. */
  async claimRetries(job: TrackedJob, limit: number): Promise<ClaimedRecipient[]> {
    const claimed = await this.store.claimRetries(job.seen.id, this.lease.epoch, limit);
    for (const { position } of claimed) job.laterAttempts.add(position);
    if (claimed.length < limit) job.seen = { ...job.seen, retryDue: false };
    const unwanted = claimed.filter((recipient) => recipient.unwanted);
    await Promise.all(unwanted.map((recipient) => this.record(job, recipient, { kind: 'unwanted' }, false)));
    return claimed.filter((recipient) => !recipient.unwanted);
  }

  /** Records the answer to an attempt and stops a job that the platform refuses altogether. Never rejects. */
  async record(job: TrackedJob, recipient: ClaimedRecipient, answer: Answer, strike: boolean): Promise<void> {
    const { jobId, position, attempt } = recipient;
    job.stop ??= reasonToStop(job, answer);
    const state = await this.recorder.record({ jobId, position, attempt, answer, strike });
    if (attempt === 1) job.firstAttempts.recorded(position);
    else job.laterAttempts.delete(position);
    if (state?.retryAt) job.seen = { ...job.seen, retryWaiting: true, retryDue: job.seen.retryDue || isNow(answer) };
    await this.stop(job);
  }

  /** Resolves when no proof is under way. */
  async settled(): Promise<void> {
    await Promise.all(this.ending.values());
    // The next owner of the lane need not doubt what was answered here.
    for (const { seen, firstAttempts } of this.tracked.values()) await this.raise(seen, firstAttempts);
  }

  /**
   * The answer to a claim can be lost although it was committed. Nothing of such a claim has left: its first attempts
   * lie between the cursor that this lane knows and the one in the database, its later ones are in flight there alone.
   */
  private async lostClaims(job: TrackedJob, { id, cursor, sending }: LaneJob): Promise<Attempt[]> {
    const lost: Attempt[] = [];
    for (let position = job.seen.cursor; position < cursor; position++) lost.push({ position, attempt: 1 });
    if (sending && job.laterAttempts.size === 0) lost.push(...(await this.store.laterAttempts(id, this.lease.epoch)));
    return lost;
  }

  /** Nothing of it has left: it goes again. Never rejects. */
  private async giveBack(job: TrackedJob, attempts: readonly Attempt[]): Promise<void> {
    await Promise.all(
      attempts.map(async ({ position, attempt }) => {
        if (attempt === 1) job.firstAttempts.opened(position);
        await this.recorder.record({ jobId: job.seen.id, position, attempt, answer: HELD_BACK });
        if (attempt === 1) job.firstAttempts.recorded(position);
      }),
    );
  }

  /** A batch of what has come due; the rest at the next look, so that no job holds up the others. */
  private async settleDue(job: TrackedJob): Promise<void> {
    const { seen } = job;
    await this.raise(seen, job.firstAttempts);
    await this.stop(job);
    if (seen.graceOver) await this.recorder.endGrace(seen.id);
    if (hasEnded(seen) && seen.retryWaiting) await this.recorder.cancelWaiting(seen.id);
    if (isExpiring(seen)) return this.expire(job);
    if (!nothingOpen(job) || this.ending.has(seen.id)) return;
    const end = this.end(seen)
      .catch((error: unknown) => this.journal.failed(this.lease.senderId, error))
      .finally(() => this.ending.delete(seen.id));
    this.ending.set(seen.id, end);
  }

  /** A batch of what has not left within the validity of its job. */
  private async expire(job: TrackedJob): Promise<void> {
    const { seen, firstAttempts } = job;
    if (seen.retryWaiting) await this.recorder.expireWaiting(seen.id);
    if (seen.cursor > seen.totalRecipients) return;
    const settledBelow = firstAttempts.settledBelow(seen.cursor);
    const cursor = await this.store.expireFirst(seen, this.lease.epoch, MAX_EXPIRED, settledBelow);
    if (cursor !== null) job.seen = { ...seen, cursor };
  }

  private async stop(job: TrackedJob): Promise<void> {
    const { stop, seen } = job;
    if (stop === null) return;
    try {
      if (await this.store.stop(seen.id, this.lease.epoch, stop)) this.journal.stopped(seen.id, stop);
      job.stale = true;
      job.stop = null;
    } catch (error) {
      // The reason stands, so nothing is claimed, and the next look tries again.
      this.journal.failed(this.lease.senderId, error);
    }
  }

  private async raise(seen: LaneJob, window: FirstAttemptWindow): Promise<void> {
    const settledBelow = window.settledBelow(seen.cursor);
    if (settledBelow <= seen.settledBelow || this.lease.lost) return;
    await this.store.raiseSettledBelow(seen.id, this.lease.epoch, settledBelow);
  }

  /** Ends a job whose rows add up; repairs the counters of one whose rows say otherwise twice. */
  private async end(seen: LaneJob): Promise<void> {
    const proof = await this.store.prove(seen.id);
    if (addsUp(seen, proof)) {
      if (await this.store.complete(seen.id, this.lease.epoch)) this.journal.ended(seen.id);
      return;
    }
    if (!this.doubted.delete(seen.id)) {
      this.doubted.add(seen.id);
      return;
    }
    if (await this.store.repair(seen, this.lease.epoch, proof)) this.journal.repaired(seen, proof);
  }
}

function reasonToStop(job: TrackedJob, answer: Answer): JobStop | null {
  if (answer.kind === 'accepted') job.refusalsInRow = 0;
  if (answer.kind !== 'refused') return null;
  const { scope, problem, message, platformCode } = answer;
  if (scope === 'job') return refusedByPlatform(problem, message, platformCode);
  if (scope !== 'message' || ++job.refusalsInRow < MAX_REFUSALS_IN_ROW) return null;
  job.refusalsInRow = 0;
  return refusedInRow(MAX_REFUSALS_IN_ROW, problem, message, platformCode);
}

function track(seen: LaneJob): TrackedJob {
  return {
    seen,
    get hasFirst() {
      return hasFirst(this.seen);
    },
    firstAttempts: new FirstAttemptWindow(),
    laterAttempts: new Set(),
    refusalsInRow: 0,
    stop: null,
    stale: false,
  };
}

function isClaimable({ seen, stale, stop }: TrackedJob): boolean {
  return !stale && stop === null && isRunning(seen) && !seen.expired && (hasFirst(seen) || seen.retryDue);
}

/** Nothing is in flight, nothing waits and nothing is left to be tried: its rows are what they will be. */
function nothingOpen({ seen, firstAttempts, laterAttempts }: TrackedJob): boolean {
  if (!firstAttempts.empty || laterAttempts.size > 0) return false;
  if (seen.sending || seen.retryWaiting || seen.unknownInGrace > 0) return false;
  return hasEnded(seen) || seen.cursor > seen.totalRecipients;
}

/** It runs though its time is over, and some of its recipients wait for a first or another attempt. */
function isExpiring(seen: LaneJob): boolean {
  return seen.expired && isRunning(seen) && (seen.cursor <= seen.totalRecipients || seen.retryWaiting);
}

function isRunning(seen: LaneJob): boolean {
  return seen.status === 'Queued' || seen.status === 'Processing';
}

function hasEnded(seen: LaneJob): boolean {
  return seen.status === 'Cancelled' || seen.status === 'Failed';
}

function hasFirst(seen: LaneJob): boolean {
  return seen.cursor <= seen.totalRecipients && !seen.held;
}

/** Retries that go at once; the others wait for their time. */
function isNow(answer: Answer): boolean {
  return (
    answer.kind === 'held_back' || answer.kind === 'refused' || (answer.kind === 'throttled' && answer.scope !== 'pair')
  );
}

function addsUp(seen: LaneJob, proof: JobProof): boolean {
  if (proof.sent !== seen.successfullySent || proof.inGrace > 0) return false;
  return hasEnded(seen) || (proof.failed === seen.failed && proof.open === 0);
}
