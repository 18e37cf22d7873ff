import type { JobStop } from '../../src/modules/delivery/domain/job-stop';
import type {
  CounterChange,
  CursorMove,
  LaneJob,
  LaneJobStore,
  LockedJob,
} from '../../src/modules/delivery/domain/lane-job-store.port';
import type { Epoch } from '../../src/modules/delivery/domain/lane-leases.port';
import type { OutcomeCounts } from '../../src/modules/delivery/domain/recipient-store.port';
import { isComplete, isEnded, isExpired, isRunning, laneJob, lockedJob, mayRest, VISIBLE } from '../fakes/lane-rows';
import type { JobRow } from '../fakes/memory-database';
import { type JobWhere, LaneTables } from './lane-tables';

/** Jobs statement by statement as the SQL of the real store. */
export class SimulatedLaneJobStore extends LaneTables implements LaneJobStore {
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
    const isOwned: JobWhere = (job) => String(job.laneEpoch) === epoch && job.status === 'Paused';
    await this.database.statement('LOCK_PAUSED_JOBS', (transaction) => this.server.select(transaction, rows, isOwned));
    await this.database.statement('PUT_AT_REST', (transaction) =>
      this.server.update(
        transaction,
        rows,
        (job) => isOwned(job) && mayRest(job, this.rowsOf(job.id)),
        () => this.rest(),
      ),
    );
  }

  withFirstAttempts(senderId: string, epoch: Epoch): Promise<{ id: string; settledBelow: number; cursor: number }[]> {
    return this.database.statement('JOBS_WITH_FIRST_ATTEMPTS', (transaction) => {
      const jobs = [...this.server.jobs.rows.values()].flatMap((row) => row.seenBy(transaction) ?? []);
      return jobs.filter((job) => job.senderId === senderId && this.isUnsettled(job, epoch));
    });
  }

  async settleBelowCursor(senderId: string, epoch: Epoch): Promise<void> {
    await this.updateJobs(
      'SETTLE_BELOW_CURSOR',
      senderId,
      (job) => this.isUnsettled(job, epoch),
      (job) => ({ settledBelow: job.cursor }),
    );
  }

  async moveCursor(seen: LaneJob, epoch: Epoch, move: CursorMove): Promise<boolean> {
    const { to, settledBelow, skipped, heldUntil, heldByTier, expired } = move;
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
        throttledReason: heldUntil && 'messaging_limit_reached',
        throttledUntil: heldUntil,
        throttledTier: heldByTier,
      }),
    );
    return moved.length > 0;
  }

  async lockRunning(jobId: string, epoch: Epoch): Promise<boolean> {
    const running = await this.database.statement('LOCK_RUNNING_JOB', (transaction) =>
      this.server.select(transaction, [this.server.jobs.row(jobId)], (job) => this.mayClaim(job, epoch, false)),
    );
    return running.length > 0;
  }

  async raiseSettledBelow(jobId: string, epoch: Epoch, settledBelow: number): Promise<void> {
    await this.updateJob(
      'RAISE_SETTLED_BELOW',
      jobId,
      (job) => String(job.laneEpoch) === epoch && job.settledBelow < Math.min(settledBelow, job.cursor),
      (job) => ({ settledBelow: Math.min(settledBelow, job.cursor) }),
    );
  }

  async complete(jobId: string, epoch: Epoch): Promise<boolean> {
    const completed = await this.updateJob(
      'COMPLETE',
      jobId,
      (job) => String(job.laneEpoch) === epoch && isComplete(job),
      (job) => ({
        status: isEnded(job) ? job.status : 'Completed',
        failed: job.totalRecipients - job.successfullySent,
        startedAt: job.startedAt ?? this.server.now(),
        completedAt: this.server.now(),
        pauseReason: null,
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

  async stop(jobId: string, epoch: Epoch, { final, reason }: JobStop): Promise<boolean> {
    const isOwned: JobWhere = (job) => String(job.laneEpoch) === epoch && isRunning(job);
    const change = final ? ({ status: 'Failed' } as const) : ({ status: 'Paused', pauseReason: reason } as const);
    const stopped = await this.updateJob('STOP', jobId, isOwned, () => change);
    return stopped.length > 0;
  }

  lock(ids: readonly string[]): Promise<{ now: Date; jobs: LockedJob[] }> {
    const rows = [...ids].sort().map((id) => this.server.jobs.row(id));
    return this.database.statement('LOCK_JOBS', async (transaction) => {
      const jobs = await this.server.select(transaction, rows, () => true);
      return { now: this.server.now(), jobs: jobs.map(lockedJob) };
    });
  }

  async addToCounters(jobId: string, change: CounterChange): Promise<void> {
    await this.updateJob(
      'ADD_TO_COUNTERS',
      jobId,
      () => true,
      (job) => ({
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

  /** The fence of every claim, and of the expiry of what was not claimed. */
  protected mayClaim(job: JobRow, epoch: Epoch, expired: boolean): boolean {
    return String(job.laneEpoch) === epoch && isRunning(job) && isExpired(job, this.now()) === expired;
  }

  protected isAdopted(job: JobRow, epoch: number): boolean {
    return job.completedAt === null && !job.atRest && job.laneEpoch < epoch && VISIBLE.includes(job.status);
  }

  private isUnsettled(job: JobRow, epoch: Epoch): boolean {
    return String(job.laneEpoch) === epoch && job.completedAt === null && job.settledBelow < job.cursor;
  }
}
