import type { Sender } from '../../accounts/domain/sender';
import type { Answer, ThrottleScope } from '../../sending/domain/answer';
import { SpanPace } from '../../../kernel/tracing';
import { type ClaimKind, traceClaim } from './claim-traces';
import { FirstAttemptWindow } from './first-attempt-window';
import { type ClaimedAttempt, HELD_BACK } from './lane-attempts';
import { withOwn } from '../../templates/domain/template-extras';
import { hasEnded, JobEnding } from './job-ending';
import type { ClaimedRecipient, LaneJob } from './lane-job-store.port';
import type { LaneParts } from './lane-parts';
import type { Lease } from './lease';
import { TemplateHolds } from './template-holds';
import { type JobStop, MAX_REFUSALS_IN_ROW, refusedByPlatform, refusedInRow } from './job-stop';

/** A job as the lane last read it, with the lane's own state. */
export interface TrackedJob {
  snapshot: LaneJob;
  /** Whether there are positions whose first attempt may be claimed. */
  readonly hasFirst: boolean;
  readonly firstAttempts: FirstAttemptWindow;
  /** Positions whose later attempt is in flight. */
  readonly laterAttempts: Set<number>;
  refusalsInRow: number;
  /** Why it must stop; nothing is claimed until the stop is recorded. */
  stop: JobStop | null;
  /** Changed since it was read (paused, cancelled): nothing is claimed until the next refresh. */
  stale: boolean;
  /** This lane has marked the job as waiting for unknown outcomes only. */
  unknownWaitMarked: boolean;
  readonly spans: SpanPace;
}

type Attempt = Pick<ClaimedRecipient, 'position' | 'attempt'>;

/** Maximum number of recipients per step, so that it does not hold the only connection of the embedded database for long. */
const MAX_EXPIRED = 2000;
/** Maximum number of jobs per statement. */
const MAX_PUT_AT_REST = 1000;

/** The unfinished jobs of one lane: takes turns, claims attempts, and ends jobs. */
export class LaneJobs {
  private readonly tracked = new Map<string, TrackedJob>();
  private readonly ending: JobEnding;
  private readonly holds: TemplateHolds;

  /** The database has lost transactions of this lane, whose state must no longer be written. */
  outdated = false;

  constructor(
    private readonly parts: Pick<
      LaneParts,
      'afterRestore' | 'claims' | 'clock' | 'jobs' | 'leases' | 'recorder' | 'telemetry' | 'unitOfWork'
    >,
    private readonly lease: Lease,
  ) {
    this.ending = new JobEnding(parts, lease);
    this.holds = new TemplateHolds(parts, lease);
  }

  /** Whether something can be sent or settled now or soon. */
  get busy(): boolean {
    return [...this.tracked.values()].some(
      ({ snapshot }) =>
        isExpiring(snapshot) ||
        (isRunning(snapshot) && !snapshot.closed && (hasFirst(snapshot) || snapshot.retryWaiting)),
    );
  }

  /** Whether recipients of an expired job must still be settled, so that the next refresh is due soon. */
  get expiring(): boolean {
    return [...this.tracked.values()].some(({ snapshot }) => isExpiring(snapshot));
  }

  /** Number of recipients without an outcome when the jobs were last read. */
  get waiting(): number {
    let sum = 0;
    for (const { snapshot } of this.tracked.values()) {
      if (!hasEnded(snapshot))
        sum += snapshot.totalRecipients - snapshot.successfullySent - snapshot.failed - snapshot.unknownInGrace;
    }
    return sum;
  }

  /** The running jobs, as last read. */
  get running(): LaneJob[] {
    return [...this.tracked.values()].map(({ snapshot }) => snapshot).filter(isRunning);
  }

  /** Reads the unfinished jobs of the sender, including new ones, and does due work. */
  async refresh(): Promise<void> {
    const gone = new Set(this.tracked.keys());
    for (const snapshot of await this.unfinished()) {
      gone.delete(snapshot.id);
      const job = this.tracked.get(snapshot.id) ?? track(snapshot);
      // Only this lane moves the cursor, and only forward.
      if (snapshot.cursor < job.snapshot.cursor) this.outdated = true;
      const lost = this.outdated ? [] : await this.lostClaims(job, snapshot);
      if (this.outdated) return;
      if (snapshot.closed && !job.snapshot.closed) this.parts.telemetry.closed(snapshot);
      job.snapshot = snapshot;
      job.stale = false;
      this.tracked.set(snapshot.id, job);
      if (lost.length > 0) await this.retryUnsent(job, lost);
      await this.settleDue(job);
    }
    for (const id of gone) {
      if (!this.tracked.get(id)!.firstAttempts.empty) continue;
      this.tracked.delete(id);
      this.ending.forget(id);
    }
  }

  /**
   * Adopts new jobs and reads all unfinished ones of the sender, oldest first; none for a past epoch. Puts Paused and Scheduled jobs
   * that need no lane at rest, which excludes them from the next read.
   */
  async unfinished(): Promise<LaneJob[]> {
    const { senderId, epoch } = this.lease;
    const { jobs, leases, unitOfWork } = this.parts;
    let unfinished = await jobs.unfinished(senderId);
    if (unfinished.some(({ laneEpoch }) => BigInt(laneEpoch) < BigInt(epoch))) {
      await unitOfWork.run(async () => {
        if (await leases.hold(senderId, epoch)) await jobs.adopt(senderId, epoch);
      });
      unfinished = await jobs.unfinished(senderId);
    }
    const owned = unfinished.filter(({ laneEpoch }) => laneEpoch === epoch);
    const idle = owned.filter(needsNoLane).map(({ id }) => id);
    if (idle.length > 0) await unitOfWork.run(() => jobs.putAtRest(idle.slice(0, MAX_PUT_AT_REST), epoch));
    return owned;
  }

  /** Stops every running job. */
  async stopAll(stop: JobStop): Promise<void> {
    for (const job of this.tracked.values()) {
      if (!isRunning(job.snapshot)) continue;
      job.stop ??= stop;
      await this.stop(job, job.stop);
    }
  }

  /** Whether `next` returns a job. */
  hasNext(): boolean {
    return [...this.tracked.values()].some(isClaimable);
  }

  /** The job whose turn it is; while probing, a job with untried recipients goes first. */
  next(probing: boolean): TrackedJob | null {
    const jobs = [...this.tracked.values()].filter(isClaimable);
    return (probing ? jobs.find(({ hasFirst }) => hasFirst) : undefined) ?? jobs[0] ?? null;
  }

  /** Claims first attempts; none if the job has changed since it was read. */
  async claimFirst(job: TrackedJob, limit: number, sender: Sender): Promise<ClaimedAttempt[]> {
    const settledBelow = job.firstAttempts.settledBelow(job.snapshot.cursor);
    const begunAt = this.parts.clock.monotonic();
    const claim = await this.parts.claims.first(job.snapshot, this.lease.epoch, limit, settledBelow, sender);
    if (!claim) {
      job.stale = true;
      return [];
    }
    if (claim.cursor > job.snapshot.cursor) this.moveToEnd(job);
    for (const { position } of claim.recipients) job.firstAttempts.opened(position);
    job.snapshot = { ...job.snapshot, cursor: claim.cursor, held: job.snapshot.held || claim.heldUntil !== null };
    if (claim.heldUntil) this.parts.telemetry.held(job.snapshot, claim.heldUntil, 'messaging_limit_reached');
    return this.attemptsOf(job, claim.recipients, 'first', begunAt);
  }

  /** Claims due later attempts; recipients that have opted out since are skipped. */
  async claimRetries(job: TrackedJob, limit: number): Promise<ClaimedAttempt[]> {
    const begunAt = this.parts.clock.monotonic();
    const { recipients, optedOut } = await this.parts.claims.retries(job.snapshot, this.lease.epoch, limit);
    const claimed = [...recipients, ...optedOut];
    if (claimed.length > 0) this.moveToEnd(job);
    for (const { position } of claimed) job.laterAttempts.add(position);
    if (claimed.length < limit) job.snapshot = { ...job.snapshot, retryDue: false };
    await Promise.all(optedOut.map((recipient) => this.record(job, recipient, { kind: 'opted_out' }, false)));
    return this.attemptsOf(job, recipients, 'later', begunAt);
  }

  /** Resolves when no job is being ended. */
  async settled(): Promise<void> {
    await this.ending.settled();
    // The next owner of the lane must not treat answered attempts as unknown.
    for (const { snapshot, firstAttempts } of this.tracked.values()) await this.raise(snapshot, firstAttempts);
  }

  private attemptsOf(job: TrackedJob, claimed: ClaimedRecipient[], kind: ClaimKind, begunAt: number): ClaimedAttempt[] {
    const now = this.parts.clock.monotonic();
    const { senderId } = this.lease;
    const claim = { job: job.snapshot, senderId, recipients: claimed.length, kind, begunAt, now };
    const traces = traceClaim(claim, job.spans);
    return claimed.map((recipient, n) => ({ ...this.attemptOf(job, recipient), traceparent: traces[n] }));
  }

  private attemptOf(job: TrackedJob, recipient: ClaimedRecipient): ClaimedAttempt {
    const { jobId, position, messageId, attempt, person, parameters, own } = recipient;
    const { revisionId } = job.snapshot;
    const extras = withOwn(job.snapshot.extras, own);
    return {
      recipient: messageId,
      to: person,
      content: { messageId, revisionId, parameters, extras },
      callbackData: `${messageId}.${attempt}.${jobId}.${position}`,
      record: (answer, strike) => this.record(job, recipient, answer, strike),
    };
  }

  /** Records the answer to an attempt, and stops a job that the platform refuses altogether. Never rejects. */
  private async record(job: TrackedJob, recipient: ClaimedRecipient, answer: Answer, strike: boolean): Promise<void> {
    const { jobId, position, attempt } = recipient;
    job.stop ??= reasonToStop(job, answer);
    if (answer.kind === 'throttled') await this.holds.hold(this.limitedBy(job, answer.scope), answer.scope);
    const state = await this.parts.recorder.record({ jobId, position, attempt, answer, strike });
    if (attempt === 1) job.firstAttempts.recorded(position);
    else job.laterAttempts.delete(position);
    if (state?.retryAt)
      job.snapshot = { ...job.snapshot, retryWaiting: true, retryDue: job.snapshot.retryDue || isRetriedNow(answer) };
    if (job.stop) await this.stop(job, job.stop);
  }

  /** The running jobs that a limit of a template, or of all template messages of the account, delays from now on. */
  private limitedBy(job: TrackedJob, scope: ThrottleScope): TrackedJob[] {
    const jobs = [...this.tracked.values()].filter(({ snapshot }) => isRunning(snapshot) && !snapshot.held);
    if (scope === 'templates') return jobs;
    return scope === 'template' ? jobs.filter(({ snapshot }) => snapshot.revisionId === job.snapshot.revisionId) : [];
  }

  /** Ends the turn of a job: the map is in the order of turns. A job without room in the messaging tier keeps its place. */
  private moveToEnd(job: TrackedJob): void {
    this.tracked.delete(job.snapshot.id);
    this.tracked.set(job.snapshot.id, job);
  }

  /**
   * The claims that were committed but whose answer was lost, so that nothing of them was sent: first attempts between the cursor of this
   * lane and the one in the database, and later attempts that are in flight only in the database.
   */
  private async lostClaims(job: TrackedJob, { id, cursor, sending }: LaneJob): Promise<Attempt[]> {
    const lost: Attempt[] = [];
    for (let position = job.snapshot.cursor; position < cursor; position++) lost.push({ position, attempt: 1 });
    if (!sending || job.laterAttempts.size > 0) return lost;
    const inFlight = await this.parts.jobs.laterAttempts(id, this.lease.epoch);
    // A database that has lost their answers shows them in flight too, although they were sent.
    if (inFlight.length > 0 && !(await this.parts.afterRestore.check())) this.outdated = true;
    return [...lost, ...inFlight];
  }

  /** Records attempts as held back, so that they are retried: no request was sent. Never rejects. */
  private async retryUnsent(job: TrackedJob, attempts: readonly Attempt[]): Promise<void> {
    await Promise.all(
      attempts.map(async ({ position, attempt }) => {
        if (attempt === 1) job.firstAttempts.opened(position);
        await this.parts.recorder.record({ jobId: job.snapshot.id, position, attempt, answer: HELD_BACK });
        if (attempt === 1) job.firstAttempts.recorded(position);
      }),
    );
  }

  /** Settles a batch of due recipients; the rest follows at the next refresh, so that no job delays the others. */
  private async settleDue(job: TrackedJob): Promise<void> {
    const { snapshot } = job;
    await this.raise(snapshot, job.firstAttempts);
    if (job.stop) await this.stop(job, job.stop);
    if (snapshot.graceOver) await this.parts.recorder.endGrace(snapshot.id);
    if (hasEnded(snapshot) && snapshot.retryWaiting) await this.parts.recorder.cancelWaiting(snapshot.id);
    if (isExpiring(snapshot)) return this.expire(job);
    if (onlyUnknown(job)) await this.markUnknownWait(job);
    if (nothingOpen(job)) this.ending.begin(snapshot);
  }

  /** Reports once that the job waits only for unknown outcomes: a mark in its row prevents other owners from repeating it. */
  private async markUnknownWait(job: TrackedJob): Promise<void> {
    if (job.unknownWaitMarked) return;
    const until = await this.parts.jobs.beginUnknownWait(job.snapshot.id, this.lease.epoch);
    job.unknownWaitMarked = true;
    if (until) this.parts.telemetry.waitsForUnknown(job.snapshot, until);
  }

  /** Expires a batch of recipients that were not sent to within the validity of the job. */
  private async expire(job: TrackedJob): Promise<void> {
    const { snapshot, firstAttempts } = job;
    if (snapshot.retryWaiting) await this.parts.recorder.expireWaiting(snapshot.id);
    if (snapshot.cursor > snapshot.totalRecipients) return;
    const settledBelow = firstAttempts.settledBelow(snapshot.cursor);
    const cursor = await this.parts.claims.expire(snapshot, this.lease.epoch, MAX_EXPIRED, settledBelow);
    if (cursor !== null) job.snapshot = { ...snapshot, cursor };
  }

  private async stop(job: TrackedJob, stop: JobStop): Promise<void> {
    const { snapshot } = job;
    try {
      if (await this.parts.jobs.stop(snapshot.id, this.lease.epoch, stop)) this.parts.telemetry.stopped(snapshot, stop);
      job.stale = true;
      job.stop = null;
    } catch (error) {
      // The reason remains set, so nothing is claimed, and the next refresh retries.
      this.parts.telemetry.failed(this.lease.senderId, error);
    }
  }

  private async raise(snapshot: LaneJob, window: FirstAttemptWindow): Promise<void> {
    const settledBelow = window.settledBelow(snapshot.cursor);
    if (settledBelow <= snapshot.settledBelow || this.lease.lost || this.outdated) return;
    await this.parts.jobs.raiseSettledBelow(snapshot.id, this.lease.epoch, settledBelow);
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
    unknownWaitMarked: false,
    spans: new SpanPace(),
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

/** Whether nothing is in flight, waits or is left to try, so that the rows are final. */
function nothingOpen(job: TrackedJob): boolean {
  return job.snapshot.unknownInGrace === 0 && nothingToSend(job);
}

/** Whether only unknown outcomes are open. */
function onlyUnknown(job: TrackedJob): boolean {
  return job.snapshot.unknownInGrace > 0 && !job.snapshot.graceOver && nothingToSend(job);
}

function nothingToSend({ snapshot, firstAttempts, laterAttempts }: TrackedJob): boolean {
  if (!firstAttempts.empty || laterAttempts.size > 0 || snapshot.sending || snapshot.retryWaiting) return false;
  return hasEnded(snapshot) || snapshot.cursor > snapshot.totalRecipients;
}

/** Whether a job only waits for a client or its schedule: nothing is in flight or unknown, and something is left to send. */
function needsNoLane(job: LaneJob): boolean {
  if (!['Paused', 'Scheduled'].includes(job.status)) return false;
  if (job.settledBelow < job.cursor || job.sending || job.unknownInGrace > 0) return false;
  return job.cursor <= job.totalRecipients || job.retryWaiting;
}

/** Whether a running job has expired and has recipients that wait for an attempt. */
function isExpiring(snapshot: LaneJob): boolean {
  return (
    snapshot.expired && isRunning(snapshot) && (snapshot.cursor <= snapshot.totalRecipients || snapshot.retryWaiting)
  );
}

function isRunning(snapshot: LaneJob): boolean {
  return snapshot.status === 'Queued' || snapshot.status === 'Processing';
}

function hasFirst(snapshot: LaneJob): boolean {
  return snapshot.cursor <= snapshot.totalRecipients && !snapshot.held;
}

/** Whether the retry is due immediately. */
function isRetriedNow(answer: Answer): boolean {
  if (answer.kind === 'throttled') return answer.scope === 'pace' || answer.scope === 'account';
  return answer.kind === 'held_back' || answer.kind === 'refused';
}
