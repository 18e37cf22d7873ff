import {
  JobStatusStore,
  type NamedRecipient,
  type StatusDelta,
} from '../../src/modules/delivery/domain/job-status-store.port';
import type { ProcessDatabase } from './process-database';

/** Jobs and recipients as the platform's statuses meet them; their changes of counters are never added up. */
export class SimulatedJobStatusStore extends JobStatusStore {
  constructor(protected readonly database: ProcessDatabase) {
    super();
  }

  unsettled(
    recipients: readonly NamedRecipient[],
  ): Promise<{ jobId: string; position: number; wasUnknown: boolean }[]> {
    const { server } = this.database;
    return this.database.statement('UNSETTLED', () =>
      recipients.flatMap(({ jobId, position, messageId, senderId }) => {
        const row = server.recipientsOf(jobId)[position - 1]?.committed;
        if (row?.messageId !== messageId || server.jobs.row(jobId).committed?.senderId !== senderId) return [];
        if (row.outcome !== null && row.outcome !== 'Unknown') return [];
        return [{ jobId, position, wasUnknown: row.outcome !== null }];
      }),
    );
  }

  stop(): Promise<null> {
    return Promise.resolve(null);
  }

  expirePauses(): Promise<never[]> {
    return Promise.resolve([]);
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
}
