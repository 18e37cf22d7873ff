import type { JobStop } from '../../src/modules/delivery/domain/job-stop';
import type { NamedJob } from '../../src/modules/delivery/domain/lane-telemetry';
import { RestoredDatabase } from '../../src/modules/delivery/domain/restored-database.port';
import type { ProcessDatabase } from './process-database';

const PAUSABLE = ['Scheduled', 'Queued', 'Processing', 'Paused'];

/** The statements after a restore, like the SQL of the real store. */
export class SimulatedRestoredDatabase extends RestoredDatabase {
  /** The timeline of the last reading of this process. */
  private timeline: number | null = null;

  constructor(private readonly database: ProcessDatabase) {
    super();
  }

  isUnchanged(): Promise<boolean> {
    const { identity } = this.database.server.backup;
    return this.database.statement('LOOK_AT_IDENTITY', () => {
      const { state, timeline } = identity.committed!;
      const isSame = this.timeline === null || this.timeline === timeline;
      this.timeline = timeline;
      return state === 'known' && isSame;
    });
  }

  lock(): ReturnType<RestoredDatabase['lock']> {
    const { server } = this.database;
    const { identity } = server.backup;
    return this.database.statement('LOCK_IDENTITY', async (transaction) => {
      if (!identity.isFreeFor(transaction, false)) return null;
      await server.lock(transaction, identity);
      return identity.seenBy(transaction)!.state;
    });
  }

  async confirm(): Promise<void> {
    const { backup, scheduler } = this.database.server;
    await this.database.statement('CONFIRM_IDENTITY', (transaction) => {
      const { timeline } = backup.identity.committed!;
      transaction.writes.set(backup.identity, { state: 'known', timeline });
      transaction.effects.push(() => (backup.noticedAt ??= backup.restoredAt && scheduler.now));
    });
  }

  lastRecordedAt(): Promise<Date | null> {
    const { takenAt } = this.database.server.backup;
    return this.database.statement('LAST_RECORDED', () =>
      takenAt === null ? null : this.database.server.scheduler.dateAt(takenAt),
    );
  }

  pauseJobs({ reason }: JobStop, limit: number): Promise<NamedJob[]> {
    const { server } = this.database;
    const isToPause = (job: { completedAt: Date | null; status: string; pauseReason: string | null }): boolean =>
      job.completedAt === null && PAUSABLE.includes(job.status) && job.pauseReason !== reason;
    return this.database.statement('PAUSE_RESTORED', (transaction) => {
      const rows = [...server.jobs.rows.values()].filter((row) => row.matches(transaction, isToPause));
      return server.update(transaction, rows.slice(0, limit), isToPause, () => ({
        ...{ status: 'Paused', pauseReason: reason, pausedAt: server.now() },
      }));
    });
  }
}
