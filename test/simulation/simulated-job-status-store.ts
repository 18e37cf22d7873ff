import {
  JobStatusStore,
  type NamedRecipient,
  type StatusDelta,
} from '../../src/modules/delivery/domain/job-status-store.port';
import type { JobStop } from '../../src/modules/delivery/domain/job-stop';
import type { NamedJob } from '../../src/modules/delivery/domain/lane-telemetry';
import { isRunning, isVisible, stopped } from '../fakes/lane-rows';
import type { JobRow } from '../fakes/engine-rows';
import type { ProcessDatabase } from './process-database';

/** Jobs and recipients for status reports; their counter deltas are never added up. */
export class SimulatedJobStatusStore extends JobStatusStore {
  constructor(
    protected readonly database: ProcessDatabase,
    /** Length of a day of a pause. */
    protected readonly dayMs = 86_400_000,
  ) {
    super();
  }

  unsettled(
    recipients: readonly NamedRecipient[],
  ): Promise<{ jobId: string; position: number; wasUnknown: boolean }[]> {
    const { server } = this.database;
    return this.database.statement('UNSETTLED', () =>
      recipients.flatMap(({ jobId, position, messageId, senderId }) => {
        const row = server.recipientsOf(jobId)[position - 1]?.committed;
        const job = server.jobs.row(jobId).committed;
        if (row?.messageId !== messageId || job?.senderId !== senderId || !isVisible(job)) return [];
        if (row.outcome !== null && row.outcome !== 'Unknown') return [];
        return [{ jobId, position, wasUnknown: row.outcome !== null }];
      }),
    );
  }

  stop(jobId: string, stop: JobStop): Promise<NamedJob | null> {
    const { server } = this.database;
    return this.database.statement('STOP_JOB', async (transaction) => {
      const job = server.jobs.row(jobId);
      const [stoppedJob] = await server.update(transaction, [job], isRunning, () => stopped(stop, server.now()));
      return stoppedJob ?? null;
    });
  }

  expirePauses(
    days: number,
    { problem, reason }: JobStop,
    limit: number,
  ): Promise<(NamedJob & { senderId: string })[]> {
    const { server } = this.database;
    return this.database.statement('EXPIRE_PAUSES', async (transaction) => {
      const before = server.now().getTime() - days * this.dayMs;
      const isOver = (job: JobRow): boolean => this.isOver(job, before);
      const since = ({ pausedAt }: JobRow): number => pausedAt!.getTime();
      const over = server.unlocked(transaction, server.jobs, isOver, since, limit);
      return server.update(transaction, over, isOver, () => ({
        ...{ status: 'Cancelled', errorCode: problem, errorMessage: reason, pauseReason: null, pausedAt: null },
      }));
    });
  }

  addDeltas(deltas: readonly StatusDelta[]): Promise<void> {
    const { statusDeltas } = this.database.server;
    return this.database.statement('ADD_DELTAS', (transaction) => {
      for (const delta of deltas) {
        const id = String(statusDeltas.rows.size);
        transaction.writes.set(statusDeltas.row(id), { ...delta, id });
      }
    });
  }

  foldDeltas(): Promise<number> {
    return Promise.resolve(0);
  }

  protected isOver({ status, pausedAt }: JobRow, before: number): boolean {
    return status === 'Paused' && pausedAt !== null && pausedAt.getTime() < before;
  }
}
