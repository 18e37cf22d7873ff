import type { DatabaseBackup, HistoryDatabase, IdentityRow, StatusDeltaRow } from './history-database';
import { Table } from './table';

/** A database that can be copied. */
type CopiedDatabase = HistoryDatabase & { readonly statusDeltas: Table<StatusDeltaRow>; readonly optOuts: Set<string> };

/** A copy of a database. Rows are replaced, never changed, so taking and restoring it is cheap. */
export class Backup implements DatabaseBackup {
  readonly identity = new Table<IdentityRow>('database_identity').row('identity');
  /** Virtual time of the copy; null before it. */
  takenAt: number | null = null;
  /** Virtual time of the restore; null before it. */
  restoredAt: number | null = null;
  noticedAt: number | null = null;
  private putBack: (() => void)[] = [];

  constructor(private readonly server: CopiedDatabase) {
    this.identity.committed = { state: 'known', timeline: 1 };
  }

  take(): void {
    const { lanes, workers, jobs, singles, messages, outbox, portfolios, conversations, statusDeltas } = this.server;
    const { links, optOutRecords } = this.server;
    const tables = [
      ...[lanes, workers, jobs, singles, messages, outbox, portfolios, conversations, statusDeltas],
      ...[links, optOutRecords],
    ];
    this.takenAt = this.server.scheduler.now;
    this.putBack = [...tables.map((table) => table.copy()), this.copyRecipients(), this.copyOptOuts()];
  }

  /** Rolls back every open transaction and everything committed since the copy. The service has not detected the restore yet. */
  restore(state: Parameters<DatabaseBackup['restore']>[0]): void {
    const { away, scheduler } = this.server;
    this.server.crash();
    this.server.away = away;
    for (const putBack of this.putBack) putBack();
    this.identity.committed = { state, timeline: this.identity.committed!.timeline + 1 };
    this.restoredAt = scheduler.now;
  }

  private copyRecipients(): () => void {
    const { recipients } = this.server;
    const kept = new Map([...recipients].map(([jobId, rows]) => [jobId, rows.map(({ committed }) => committed)]));
    return () => {
      for (const [jobId, rows] of recipients) {
        const states = kept.get(jobId);
        if (states) rows.forEach((row, index) => (row.committed = states[index]!));
        else recipients.delete(jobId);
      }
    };
  }

  private copyOptOuts(): () => void {
    const { optOuts } = this.server;
    const kept = [...optOuts];
    return () => {
      optOuts.clear();
      for (const one of kept) optOuts.add(one);
    };
  }
}
