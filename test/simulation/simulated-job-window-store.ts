import { opensAt } from '../../src/modules/bulk-jobs/domain/send-window';
import type { JobWindowStore } from '../../src/modules/delivery/domain/job-window-store.port';
import { hasLeftToSend, isClosed, isExpired, isRunning, isSettled, windowOf } from '../fakes/lane-rows';
import type { JobRow } from '../fakes/engine-rows';
import { LaneTables } from './lane-tables';

/** Marks closed windows like the SQL of the real store; jobs rest immediately, as no stream reads them by lane. */
export class SimulatedJobWindowStore extends LaneTables implements JobWindowStore {
  markClosed(limit: number): Promise<number> {
    return this.database.run(async () => {
      const locked = await this.database.statement('LOCK_CLOSED', (transaction) => {
        const isToMark = (job: JobRow): boolean =>
          this.isClosed(job) && (this.isUnmarked(job) || this.needsNoLane(job));
        const rows = this.server.unlocked(transaction, this.server.jobs, isToMark, ({ id }) => id, limit);
        return this.server.select(transaction, rows, isToMark);
      });
      if (locked.length === 0) return 0;
      const rows = locked.map(({ id }) => this.server.jobs.row(id));
      const marked = await this.database.statement('MARK_CLOSED', (transaction) =>
        this.server.update(
          transaction,
          rows,
          (job) => this.isClosed(job),
          (job) => this.mark(job),
        ),
      );
      return marked.length;
    });
  }

  wakeOpen(limit: number): Promise<string[]> {
    return this.database.statement('WAKE_OPEN', async (transaction) => {
      const isDue = (job: JobRow): boolean => job.atRest && isRunning(job) && this.isDue(job);
      const rows = this.server.unlocked(transaction, this.server.jobs, isDue, dueTime, limit);
      return (await this.server.update(transaction, rows, isDue, () => ({ atRest: false }))).map((job) => job.senderId);
    });
  }

  protected mark(job: JobRow): Partial<JobRow> {
    return {
      ...(this.needsNoLane(job) && { atRest: true, laneEpoch: 0 }),
      ...(this.isUnmarked(job) && { windowOpensAt: this.opensAt(job) }),
    };
  }

  protected opensAt(job: JobRow): Date {
    return opensAt(windowOf(job)!, this.server.now());
  }

  protected needsNoLane(job: JobRow): boolean {
    return isSettled(job, this.rowsOf(job.id)) && !isExpired(job, this.now());
  }

  protected isDue({ windowOpensAt, validUntil }: JobRow): boolean {
    return [windowOpensAt, validUntil].some((moment) => moment !== null && moment.getTime() <= this.now());
  }

  private isClosed(job: JobRow): boolean {
    if (!isRunning(job) || job.completedAt !== null || job.atRest || !isClosed(job, this.now())) return false;
    return hasLeftToSend(job, this.rowsOf(job.id));
  }

  private isUnmarked({ windowOpensAt }: JobRow): boolean {
    return windowOpensAt === null || windowOpensAt.getTime() <= this.now();
  }
}

function dueTime({ windowOpensAt, validUntil }: JobRow): number {
  return Math.min(...[windowOpensAt, validUntil].flatMap((moment) => moment?.getTime() ?? []));
}
