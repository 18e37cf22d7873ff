import type { JobStop } from '../../src/modules/delivery/domain/job-stop';
import type {
  ClaimedRecipient,
  CounterChange,
  FirstClaim,
  HeldJob,
  LaneJob,
  LaneJobStore,
  LockedJob,
  LockedRecipients,
  OutcomeCounts,
  RecipientState,
} from '../../src/modules/delivery/domain/lane-job-store.port';
import type { Epoch } from '../../src/modules/delivery/domain/lane-leases.port';
import type { Problem } from '../../src/modules/sending/domain/send-state';
import {
  isClosed,
  isComplete,
  isEnded,
  isExpired,
  isOnHold,
  isRunning,
  isWaiting,
  laneJob,
  lockedJob,
  mayRest,
  reasonAfterAnswers,
  reasonAfterClaim,
  stopped,
  underLock,
  VISIBLE,
} from '../fakes/lane-rows';
import type { JobRow } from '../fakes/engine-rows';
import type { JobWhere } from './lane-tables';
import { SimulatedRecipients } from './simulated-recipients';

/** Jobs and their recipients, statement by statement like the SQL of the real store. */
export class SimulatedLaneJobStore extends SimulatedRecipients implements LaneJobStore {
  unfinished(senderId: string): Promise<LaneJob[]> {
    return this.database.statement('UNFINISHED_JOBS', () =>
      [...this.server.jobs.committed()]
        .filter((job) => job.senderId === senderId && job.completedAt === null && !job.atRest)
        .filter((job) => VISIBLE.includes(job.status))
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .map((job) => laneJob(job, this.rowsOf(job.id), this.now(), this.terms.graceMs)),
    );
  }

  async adopt(senderId: string, epoch: Epoch): Promise<void> {
    await this.updateJobs(
      'ADOPT_JOBS',
      senderId,
      (job) => this.isAdopted(job, Number(epoch)),
      () => ({ laneEpoch: Number(epoch) }),
    );
  }

  async putAtRest(ids: readonly string[], epoch: Epoch): Promise<void> {
    const rows = [...ids].sort().map((id) => this.server.jobs.row(id));
    const isOwned: JobWhere = (job) => String(job.laneEpoch) === epoch && isWaiting(job);
    await this.database.statement('LOCK_WAITING_JOBS', (transaction) => this.server.select(transaction, rows, isOwned));
    await this.database.statement('PUT_AT_REST', (transaction) =>
      this.server.update(
        transaction,
        rows,
        (job) => isOwned(job) && mayRest(job, this.rowsOf(job.id)),
        () => this.rest(),
      ),
    );
  }

  async takeOver(senderId: string, epoch: Epoch): Promise<void> {
    await this.adopt(senderId, epoch);
    for (const { id, settledBelow, cursor } of await this.withFirstAttempts(senderId, epoch)) {
      await this.strandFirstAttempts(id, settledBelow, cursor);
    }
    await this.strandLaterAttempts(senderId, epoch);
    await this.settleBelowCursor(senderId, epoch);
  }

  async claimFirst(job: LaneJob, epoch: Epoch, claim: FirstClaim, problem: Problem): Promise<boolean> {
    const passed = [...claim.toSend, ...claim.skipped];
    if (!(await this.moveCursor(job, epoch, claim, false))) return false;
    if (passed.length > 0 && (await this.anySettled(job.id, passed))) return false;
    if (claim.skipped.length > 0) await this.skip(job.id, claim.skipped, problem);
    return true;
  }

  async claimDue(jobId: string, epoch: Epoch, limit: number): Promise<ClaimedRecipient[]> {
    return (await this.lockRunning(jobId, epoch)) ? this.beginDue(jobId, epoch, limit) : [];
  }

  async expire(
    job: LaneJob,
    epoch: Epoch,
    move: Pick<FirstClaim, 'cursor' | 'settledBelow'>,
    problem: Problem,
  ): Promise<boolean> {
    const none = { toSend: [], skipped: [], heldUntil: null, heldByTier: null };
    if (!(await this.moveCursor(job, epoch, { ...move, ...none }, true))) return false;
    await this.failOpen(job.id, job.cursor, move.cursor, problem);
    return true;
  }

  lock(places: readonly { jobId: string; position: number }[]): Promise<LockedRecipients> {
    const jobIds = places.map(({ jobId }) => jobId);
    return this.locked(jobIds, () => this.at(places));
  }

  lockWaiting(jobId: string, which: 'grace over' | 'retry', limit: number): Promise<LockedRecipients> {
    return this.locked([jobId], () => this.waiting(jobId, which, limit));
  }

  async save(jobId: string, recipients: readonly RecipientState[], counters: CounterChange): Promise<void> {
    await this.saveRecipients(jobId, recipients);
    await this.addToCounters(jobId, counters);
  }

  async raiseSettledBelow(jobId: string, epoch: Epoch, settledBelow: number): Promise<void> {
    await this.updateJob(
      'RAISE_SETTLED_BELOW',
      jobId,
      (job) => String(job.laneEpoch) === epoch && job.settledBelow < Math.min(settledBelow, job.cursor),
      (job) => ({ settledBelow: Math.min(settledBelow, job.cursor) }),
    );
  }

  async strandOpen(jobId: string, epoch: Epoch, cursor: number): Promise<void> {
    const isOwned: JobWhere = (job) => String(job.laneEpoch) === epoch && job.completedAt === null;
    for (const [first, last] of await this.ranges(jobId)) {
      await this.database.run(async () => {
        const owned = await this.database.statement('LOCK_OWNED_JOB', (transaction) =>
          this.server.select(transaction, [this.server.jobs.row(jobId)], isOwned),
        );
        if (owned.length > 0) await this.strandFirstAttempts(jobId, first, Math.min(last + 1, cursor));
      });
    }
  }

  async complete(jobId: string, epoch: Epoch): Promise<boolean> {
    const completed = await this.updateJob(
      'COMPLETE',
      jobId,
      (job) => String(job.laneEpoch) === epoch && isComplete(job),
      (job) => ({
        status: isEnded(job) ? job.status : 'Completed',
        failed: job.totalRecipients - job.successfullySent,
        completedAt: this.server.now(),
        ...{ pauseReason: null, throttledReason: null, throttledUntil: null },
      }),
    );
    return completed.length > 0;
  }

  async repair(seen: LaneJob, epoch: Epoch, counted: OutcomeCounts): Promise<boolean> {
    const repaired = await this.updateJob(
      'REPAIR',
      seen.id,
      (job) =>
        String(job.laneEpoch) === epoch &&
        job.completedAt === null &&
        job.successfullySent === seen.successfullySent &&
        job.failed === seen.failed &&
        job.unknownInGrace === seen.unknownInGrace,
      () => ({ successfullySent: counted.sent, failed: counted.failed, unknownInGrace: counted.inGrace }),
    );
    return repaired.length > 0;
  }

  async beginUnknownWait(jobId: string, epoch: Epoch): Promise<Date | null> {
    let until: Date | null = null;
    await this.updateJob(
      'BEGIN_UNKNOWN_WAIT',
      jobId,
      (job) => String(job.laneEpoch) === epoch && job.unknownInGrace > 0 && job.throttledReason !== 'unknown_outcomes',
      () => {
        const since = this.rowsOf(jobId).flatMap(({ unknownSince }) => unknownSince?.getTime() ?? []);
        if (since.length > 0) until = new Date(Math.max(...since) + this.terms.graceMs);
        return { throttledReason: 'unknown_outcomes', throttledUntil: null, throttledTier: null };
      },
    );
    return until;
  }

  async hold(jobId: string, epoch: Epoch, forMs: number): Promise<Date | null> {
    const isOwned: JobWhere = (job) => String(job.laneEpoch) === epoch && isRunning(job);
    const [held] = await this.updateJob('HOLD', jobId, isOwned, () => ({
      ...{ throttledReason: 'template_limited', throttledUntil: new Date(this.now() + forMs), throttledTier: null },
    }));
    return held?.throttledUntil ?? null;
  }

  async holdOfOtherSenders(senderId: string, forMs: number): Promise<HeldJob[]> {
    const accountOf = (id: string): string => this.server.businessAccounts.get(id) ?? id;
    const isOther: JobWhere = (job) => job.senderId !== senderId && accountOf(job.senderId) === accountOf(senderId);
    const isToHold: JobWhere = (job) =>
      isOther(job) && isRunning(job) && !job.atRest && job.completedAt === null && this.hasNext(job);
    const until = new Date(this.now() + forMs);
    const held = await this.database.statement('HOLD_OF_OTHER_SENDERS', (transaction) => {
      const rows = this.server.unlocked(transaction, this.server.jobs, isToHold, ({ id }) => id);
      return this.server.update(transaction, rows, isToHold, () => ({
        ...{ throttledReason: 'template_limited', throttledUntil: until, throttledTier: null },
      }));
    });
    return held.map(({ id, accountId }) => ({ id, accountId, until }));
  }

  async stop(jobId: string, epoch: Epoch, stop: JobStop): Promise<boolean> {
    const isOwned: JobWhere = (job) => String(job.laneEpoch) === epoch && isRunning(job);
    return (await this.updateJob('STOP', jobId, isOwned, () => stopped(stop, this.server.now()))).length > 0;
  }

  async countOutcomes(jobId: string, cursor: number): Promise<OutcomeCounts> {
    const counted: OutcomeCounts = { sent: 0, failed: 0, open: 0, inGrace: 0 };
    for (const [first, last] of await this.ranges(jobId)) {
      const part = await this.countRange(jobId, cursor, first, last);
      for (const name of ['sent', 'failed', 'open', 'inGrace'] as const) counted[name] += part[name];
    }
    return counted;
  }

  protected withFirstAttempts(
    senderId: string,
    epoch: Epoch,
  ): Promise<{ id: string; settledBelow: number; cursor: number }[]> {
    return this.database.statement('JOBS_WITH_FIRST_ATTEMPTS', (transaction) => {
      const jobs = [...this.server.jobs.rows.values()].flatMap((row) => row.seenBy(transaction) ?? []);
      return jobs.filter((job) => job.senderId === senderId && this.isUnsettled(job, epoch));
    });
  }

  private async settleBelowCursor(senderId: string, epoch: Epoch): Promise<void> {
    await this.updateJobs(
      'SETTLE_BELOW_CURSOR',
      senderId,
      (job) => this.isUnsettled(job, epoch),
      (job) => ({ settledBelow: job.cursor }),
    );
  }

  protected async moveCursor(seen: LaneJob, epoch: Epoch, move: FirstClaim, expired: boolean): Promise<boolean> {
    const { cursor: to, settledBelow, heldUntil, heldByTier } = move;
    const skipped = move.skipped.length;
    const moved = await this.updateJob(
      'MOVE_CURSOR',
      seen.id,
      (job) => this.mayClaim(job, epoch, expired) && job.cursor === seen.cursor,
      (job) => ({
        cursor: to,
        settledBelow: Math.max(job.settledBelow, Math.min(settledBelow, to)),
        status: 'Processing',
        startedAt: job.startedAt ?? this.server.now(),
        skipped: job.skipped + skipped,
        failed: job.failed + skipped,
        throttledReason: reasonAfterClaim(job, heldUntil),
        throttledUntil: heldUntil,
        throttledTier: heldByTier,
      }),
    );
    return moved.length > 0;
  }

  protected async lockRunning(jobId: string, epoch: Epoch): Promise<boolean> {
    const running = await this.database.statement('LOCK_RUNNING_JOB', (transaction) =>
      this.server.select(transaction, [this.server.jobs.row(jobId)], (job) => this.mayClaim(job, epoch, false)),
    );
    return running.length > 0;
  }

  protected lockJobs(ids: readonly string[]): Promise<{ now: Date; jobs: LockedJob[] }> {
    const rows = [...new Set(ids)].sort().map((id) => this.server.jobs.row(id));
    return this.database.statement('LOCK_JOBS', async (transaction) => {
      const jobs = await this.server.select(transaction, rows, () => true);
      return { now: this.server.now(), jobs: jobs.map(lockedJob) };
    });
  }

  protected async addToCounters(jobId: string, change: CounterChange): Promise<void> {
    await this.updateJob(
      'ADD_TO_COUNTERS',
      jobId,
      () => true,
      (job) => ({
        throttledReason: reasonAfterAnswers(job, change.successfullySent, this.now()),
        successfullySent: job.successfullySent + change.successfullySent,
        failed: job.failed + change.failed,
        skipped: job.skipped + change.skipped,
        unknown: job.unknown + change.unknown,
        unknownInGrace: job.unknownInGrace + change.unknownInGrace,
        atRest: false,
      }),
    );
  }

  protected rest(): Partial<JobRow> {
    return { atRest: true, laneEpoch: 0 };
  }

  /** The fence of every claim, and of the expiry of unclaimed recipients. */
  protected mayClaim(job: JobRow, epoch: Epoch, expired: boolean): boolean {
    const isInTime = isExpired(job, this.now()) === expired && (expired || this.isInWindow(job));
    return String(job.laneEpoch) === epoch && isRunning(job) && isInTime && (expired || !this.isOnHold(job));
  }

  /** There are recipients to try, and nothing delays them. */
  private hasNext({ cursor, throttledUntil, totalRecipients }: JobRow): boolean {
    return cursor <= totalRecipients && (throttledUntil === null || throttledUntil.getTime() <= this.now());
  }

  protected isOnHold(job: JobRow): boolean {
    return isOnHold(job, this.now());
  }

  protected isInWindow(job: JobRow): boolean {
    return !isClosed(job, this.now());
  }

  protected isAdopted(job: JobRow, epoch: number): boolean {
    return job.completedAt === null && !job.atRest && job.laneEpoch < epoch && VISIBLE.includes(job.status);
  }

  private async locked(jobIds: readonly string[], read: () => Promise<RecipientState[]>): Promise<LockedRecipients> {
    const { now, jobs } = await this.lockJobs(jobIds);
    return { now, rows: underLock(jobs, await read()) };
  }

  /** First and last positions of consecutive ranges. */
  protected async ranges(jobId: string): Promise<[first: number, last: number][]> {
    const { proofRange } = this.terms;
    const total = await this.database.statement('TOTAL', (transaction) => {
      return this.server.jobs.row(jobId).seenBy(transaction)?.totalRecipients ?? 0;
    });
    const count = Math.ceil(total / proofRange);
    return Array.from({ length: count }, (_, index) => [index * proofRange + 1, (index + 1) * proofRange]);
  }

  private isUnsettled(job: JobRow, epoch: Epoch): boolean {
    return String(job.laneEpoch) === epoch && job.completedAt === null && job.settledBelow < job.cursor;
  }
}
