import type { Sender } from '../../accounts/domain/sender';
import type { Answer } from '../../sending/domain/answer';
import { TEMPLATE_WAIT_MS } from '../../sending/domain/send-state';
import { FirstAttemptWindow } from './first-attempt-window';
import { type Flight, HELD_BACK } from './lane-flights';
import type { ClaimedRecipient, LaneJob, OutcomeCounts } from './lane-job-store.port';
import type { LaneParts } from './lane-parts';
import type { Lease } from './lease';
import { type JobStop, MAX_REFUSALS_IN_ROW, refusedByPlatform, refusedInRow } from './job-stop';

/** A job as the lane last read it, with what only the lane knows. */
export interface TrackedJob {
  snapshot: LaneJob;
  /** There are positions whose first attempt may be claimed. */
  readonly hasFirst: boolean;
  readonly firstAttempts: FirstAttemptWindow;
  /** Positions whose later attempt is in flight. */
  readonly laterAttempts: Set<number>;
  refusalsInRow: number;
  /** Why it is to be stopped; nothing is claimed while that is not in the database. */
  stop: JobStop | null;
  /** It has changed since it was read (paused, cancelled): nothing is claimed until the next refresh. */
  stale: boolean;
  /** This lane has marked that nothing but unknown outcomes is left. */
  toldUnknown: boolean;
}

interface Attempt {
  position: number;
  attempt: number;
}

/** Recipients of one step: the one connection of the embedded database is not held for longer. */
const MAX_EXPIRED = 2000;

/** The unfinished jobs of one lane: whose turn it is, what is claimed of them, and how they end. */
export class LaneJobs {
  private readonly tracked = new Map<string, TrackedJob>();
  private readonly ending = new Map<string, Promise<void>>();
  /** Jobs whose rows did not add up to their counters when they were counted first. */
  private readonly doubted = new Set<string>();

  /** The database has lost what this lane had committed: what is known here must not be written any more. */
  outdated = false;

  constructor(
    private readonly parts: Pick<LaneParts, 'jobs' | 'ownership' | 'recorder' | 'telemetry'>,
    private readonly lease: Lease,
  ) {}

  /** Something of these jobs can be sent or settled now or soon. */
  get busy(): boolean {
    return [...this.tracked.values()].some(
      ({ snapshot }) =>
        isExpiring(snapshot) ||
        (isRunning(snapshot) && !snapshot.closed && (hasFirst(snapshot) || snapshot.retryWaiting)),
    );
  }

  /** Recipients of a job whose validity is over are still to be settled: refresh again soon. */
  get expiring(): boolean {
    return [...this.tracked.values()].some(({ snapshot }) => isExpiring(snapshot));
  }

  /** Recipients without an outcome, as the jobs were last read. */
  get waiting(): number {
    let sum = 0;
    for (const { snapshot } of this.tracked.values()) {
      if (!hasEnded(snapshot))
        sum += snapshot.totalRecipients - snapshot.successfullySent - snapshot.failed - snapshot.unknownInGrace;
    }
    return sum;
  }

  /** Jobs that run, as they were last read. */
  get running(): LaneJob[] {
    return [...this.tracked.values()].map(({ snapshot }) => snapshot).filter(isRunning);
  }

  /** Reads the unfinished jobs of the sender, the new ones among them, and does what has come due. */
  async refresh(): Promise<void> {
    const { senderId, epoch } = this.lease;
    const gone = new Set(this.tracked.keys());
    for (const snapshot of await this.parts.ownership.unfinishedJobs(senderId, epoch)) {
      gone.delete(snapshot.id);
      const job = this.tracked.get(snapshot.id) ?? track(snapshot);
      // Only this lane moves the cursor, and never back.
      if (snapshot.cursor < job.snapshot.cursor) this.outdated = true;
      if (this.outdated) return;
      const lost = await this.lostClaims(job, snapshot);
      if (snapshot.closed && !job.snapshot.closed) this.parts.telemetry.closed(snapshot);
      job.snapshot = snapshot;
      job.stale = false;
      this.tracked.set(snapshot.id, job);
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
    return (probing ? jobs.find(({ hasFirst }) => hasFirst) : undefined) ?? jobs[0] ?? null;
  }

  /** Claims first attempts; empty when the job has changed since it was read. */
  async claimFirst(job: TrackedJob, limit: number, sender: Sender): Promise<Flight[]> {
    const settledBelow = job.firstAttempts.settledBelow(job.snapshot.cursor);
    const claim = await this.parts.ownership.claimFirst(job.snapshot, this.lease.epoch, limit, settledBelow, sender);
    if (!claim) {
      job.stale = true;
      return [];
    }
    if (claim.cursor > job.snapshot.cursor) this.hadTurn(job);
    for (const { position } of claim.recipients) job.firstAttempts.opened(position);
    job.snapshot = { ...job.snapshot, cursor: claim.cursor, held: job.snapshot.held || claim.heldUntil !== null };
    if (claim.heldUntil) this.parts.telemetry.held(job.snapshot, claim.heldUntil, 'messaging_limit_reached');
    return claim.recipients.map((recipient) => this.flight(job, recipient));
  }

  /** Claims later attempts that have come due; who has opted out meanwhile is skipped. */
  async claimRetries(job: TrackedJob, limit: number): Promise<Flight[]> {
    const { recipients, optedOut } = await this.parts.ownership.claimRetries(job.snapshot, this.lease.epoch, limit);
    const claimed = [...recipients, ...optedOut];
    if (claimed.length > 0) this.hadTurn(job);
    for (const { position } of claimed) job.laterAttempts.add(position);
    if (claimed.length < limit) job.snapshot = { ...job.snapshot, retryDue: false };
    await Promise.all(optedOut.map((recipient) => this.record(job, recipient, { kind: 'opted_out' }, false)));
    return recipients.map((recipient) => this.flight(job, recipient));
  }

  /** Resolves when no proof is under way. */
  async settled(): Promise<void> {
    await Promise.all(this.ending.values());
    // The next owner of the lane need not doubt what was answered here.
    for (const { snapshot, firstAttempts } of this.tracked.values()) await this.raise(snapshot, firstAttempts);
  }

  private flight(job: TrackedJob, recipient: ClaimedRecipient): Flight {
    const { jobId, position, messageId, attempt, phone, parameters } = recipient;
    const { revisionId, extras } = job.snapshot;
    return {
      recipient: messageId,
      to: phone,
      content: { revisionId, parameters, extras },
      callbackData: `${messageId}.${attempt}.${jobId}.${position}`,
      record: (answer, strike) => this.record(job, recipient, answer, strike),
    };
  }

  /** Records the answer to an attempt and stops a job that the platform refuses altogether. Never rejects. */
  private async record(job: TrackedJob, recipient: ClaimedRecipient, answer: Answer, strike: boolean): Promise<void> {
    const { jobId, position, attempt } = recipient;
    job.stop ??= reasonToStop(job, answer);
    for (const limited of this.limitedBy(job, answer)) await this.hold(limited);
    const state = await this.parts.recorder.record({ jobId, position, attempt, answer, strike });
    if (attempt === 1) job.firstAttempts.recorded(position);
    else job.laterAttempts.delete(position);
    if (state?.retryAt)
      job.snapshot = { ...job.snapshot, retryWaiting: true, retryDue: job.snapshot.retryDue || isNow(answer) };
    if (job.stop) await this.stop(job);
  }

  /** The jobs that wait because the platform limits a template, or all template messages of the account. */
  private limitedBy(job: TrackedJob, answer: Answer): TrackedJob[] {
    if (answer.kind !== 'throttled') return [];
    return answer.scope === 'templates' ? [...this.tracked.values()] : answer.scope === 'template' ? [job] : [];
  }

  /** The map keeps the order of their turns; a job for which the messaging tier had no room keeps its place. */
  private hadTurn(job: TrackedJob): void {
    this.tracked.delete(job.snapshot.id);
    this.tracked.set(job.snapshot.id, job);
  }

  /**
   * The answer to a claim can be lost although it was committed. Nothing of such a claim has left: its first attempts
   * lie between the cursor that this lane knows and the one in the database, its later ones are in flight there alone.
   */
  private async lostClaims(job: TrackedJob, { id, cursor, sending }: LaneJob): Promise<Attempt[]> {
    const lost: Attempt[] = [];
    for (let position = job.snapshot.cursor; position < cursor; position++) lost.push({ position, attempt: 1 });
    if (sending && job.laterAttempts.size === 0)
      lost.push(...(await this.parts.jobs.laterAttempts(id, this.lease.epoch)));
    return lost;
  }

  /** No request has left: the attempts are retried. Never rejects. */
  private async giveBack(job: TrackedJob, attempts: readonly Attempt[]): Promise<void> {
    await Promise.all(
      attempts.map(async ({ position, attempt }) => {
        if (attempt === 1) job.firstAttempts.opened(position);
        await this.parts.recorder.record({ jobId: job.snapshot.id, position, attempt, answer: HELD_BACK });
        if (attempt === 1) job.firstAttempts.recorded(position);
      }),
    );
  }

  /** A batch of what has come due; the rest at the next refresh, so that no job holds up the others. */
  private async settleDue(job: TrackedJob): Promise<void> {
    const { snapshot } = job;
    await this.raise(snapshot, job.firstAttempts);
    await this.stop(job);
    if (snapshot.graceOver) await this.parts.recorder.endGrace(snapshot.id);
    if (hasEnded(snapshot) && snapshot.retryWaiting) await this.parts.recorder.cancelWaiting(snapshot.id);
    if (isExpiring(snapshot)) return this.expire(job);
    if (onlyUnknown(job)) await this.tellUnknown(job);
    if (!nothingOpen(job) || this.ending.has(snapshot.id)) return;
    const end = this.end(snapshot)
      .catch((error: unknown) => this.parts.telemetry.failed(this.lease.senderId, error))
      .finally(() => this.ending.delete(snapshot.id));
    this.ending.set(snapshot.id, end);
  }

  /** Says once that the job waits for unknown outcomes alone: the mark in its row keeps every other owner from repeating it. */
  private async tellUnknown(job: TrackedJob): Promise<void> {
    if (job.toldUnknown) return;
    const until = await this.parts.jobs.beginUnknownWait(job.snapshot.id, this.lease.epoch);
    job.toldUnknown = true;
    if (until) this.parts.telemetry.waitsForUnknown(job.snapshot, until);
  }

  /** A batch of what has not left within the validity of its job. */
  private async expire(job: TrackedJob): Promise<void> {
    const { snapshot, firstAttempts } = job;
    if (snapshot.retryWaiting) await this.parts.recorder.expireWaiting(snapshot.id);
    if (snapshot.cursor > snapshot.totalRecipients) return;
    const settledBelow = firstAttempts.settledBelow(snapshot.cursor);
    const cursor = await this.parts.ownership.expire(snapshot, this.lease.epoch, MAX_EXPIRED, settledBelow);
    if (cursor !== null) job.snapshot = { ...snapshot, cursor };
  }

  private async stop(job: TrackedJob): Promise<void> {
    const { stop, snapshot } = job;
    if (stop === null) return;
    try {
      if (await this.parts.jobs.stop(snapshot.id, this.lease.epoch, stop)) this.parts.telemetry.stopped(snapshot, stop);
      job.stale = true;
      job.stop = null;
    } catch (error) {
      // The reason stands, so nothing is claimed, and the next refresh retries.
      this.parts.telemetry.failed(this.lease.senderId, error);
    }
  }

  /** The platform limits the job's template: nobody else of the job is tried for a while. */
  private async hold(job: TrackedJob): Promise<void> {
    const { snapshot } = job;
    if (snapshot.held || !isRunning(snapshot)) return;
    job.snapshot = { ...snapshot, held: true };
    try {
      const until = await this.parts.jobs.hold(snapshot.id, this.lease.epoch, TEMPLATE_WAIT_MS);
      if (until) this.parts.telemetry.held(snapshot, until, 'template_limited');
    } catch (error) {
      // The next refusal holds it.
      this.parts.telemetry.failed(this.lease.senderId, error);
    }
  }

  private async raise(snapshot: LaneJob, window: FirstAttemptWindow): Promise<void> {
    const settledBelow = window.settledBelow(snapshot.cursor);
    if (settledBelow <= snapshot.settledBelow || this.lease.lost || this.outdated) return;
    await this.parts.jobs.raiseSettledBelow(snapshot.id, this.lease.epoch, settledBelow);
  }

  /** Ends a job whose rows add up; repairs the counters of one whose rows contradict them twice. */
  private async end(snapshot: LaneJob): Promise<void> {
    const counted = await this.parts.jobs.countOutcomes(snapshot.id);
    if (addsUp(snapshot, counted)) {
      if (await this.parts.jobs.complete(snapshot.id, this.lease.epoch)) this.parts.telemetry.ended(snapshot);
      return;
    }
    if (!this.doubted.delete(snapshot.id)) {
      this.doubted.add(snapshot.id);
      return;
    }
    // Nothing of it is in flight here: what is open below the cursor was claimed, and its outcome was lost with a database.
    if (counted.open > 0 && !hasEnded(snapshot)) {
      await this.parts.jobs.strandOpen(snapshot.id, this.lease.epoch);
      this.parts.telemetry.repaired(snapshot, counted);
      return;
    }
    if (await this.parts.jobs.repair(snapshot, this.lease.epoch, counted))
      this.parts.telemetry.repaired(snapshot, counted);
  }
}

function reasonToStop(job: TrackedJob, answer: Answer): JobStop | null {
  if (answer.kind === 'accepted') job.refusalsInRow = 0;
  if (answer.kind !== 'refused') return null;
  const { scope, problem, message, platformCode } = answer;
  if (scope === 'job') return refusedByPlatform(problem, message, platformCode);
  if (scope !== 'message' || ++job.refusalsInRow < MAX_REFUSALS_IN_ROW) return null;
  job.refusalsInRow = 0;
  return refusedInRow(message, platformCode);
}

function track(snapshot: LaneJob): TrackedJob {
  return {
    snapshot,
    get hasFirst() {
      return hasFirst(this.snapshot);
    },
    firstAttempts: new FirstAttemptWindow(),
    laterAttempts: new Set(),
    refusalsInRow: 0,
    stop: null,
    stale: false,
    toldUnknown: false,
  };
}

function isClaimable({ snapshot, stale, stop }: TrackedJob): boolean {
  return (
    !stale &&
    stop === null &&
    isRunning(snapshot) &&
    !snapshot.expired &&
    !snapshot.closed &&
    (hasFirst(snapshot) || snapshot.retryDue)
  );
}

/** Nothing is in flight, nothing waits and nothing is left to be tried: its rows are what they will be. */
function nothingOpen(job: TrackedJob): boolean {
  return job.snapshot.unknownInGrace === 0 && nothingToSend(job);
}

/** Nothing but unknown outcomes is open. */
function onlyUnknown(job: TrackedJob): boolean {
  return job.snapshot.unknownInGrace > 0 && !job.snapshot.graceOver && nothingToSend(job);
}

function nothingToSend({ snapshot, firstAttempts, laterAttempts }: TrackedJob): boolean {
  if (!firstAttempts.empty || laterAttempts.size > 0 || snapshot.sending || snapshot.retryWaiting) return false;
  return hasEnded(snapshot) || snapshot.cursor > snapshot.totalRecipients;
}

/** It runs though its time is over, and some of its recipients wait for a first or another attempt. */
function isExpiring(snapshot: LaneJob): boolean {
  return (
    snapshot.expired && isRunning(snapshot) && (snapshot.cursor <= snapshot.totalRecipients || snapshot.retryWaiting)
  );
}

function isRunning(snapshot: LaneJob): boolean {
  return snapshot.status === 'Queued' || snapshot.status === 'Processing';
}

function hasEnded(snapshot: LaneJob): boolean {
  return snapshot.status === 'Cancelled' || snapshot.status === 'Failed';
}

function hasFirst(snapshot: LaneJob): boolean {
  return snapshot.cursor <= snapshot.totalRecipients && !snapshot.held;
}

/** Retries that go at once; the others wait for their time. */
function isNow(answer: Answer): boolean {
  if (answer.kind === 'throttled') return answer.scope === 'pace' || answer.scope === 'account';
  return answer.kind === 'held_back' || answer.kind === 'refused';
}

function addsUp(snapshot: LaneJob, counted: OutcomeCounts): boolean {
  if (counted.sent !== snapshot.successfullySent || counted.inGrace > 0) return false;
  return hasEnded(snapshot) || (counted.failed === snapshot.failed && counted.open === 0);
}
