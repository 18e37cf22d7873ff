import type { Clock } from '../../../kernel/clock';
import { GroupCommit } from '../../../kernel/group-commit';
import type { ParkedUpdates } from './parked-updates.port';
import type { WebhookTelemetry } from './webhook-telemetry';

const MAX_BATCH = 1000;

/** Dependencies of a writer. */
export interface ReportWriterParts {
  parked: ParkedUpdates;
  telemetry: Pick<WebhookTelemetry, 'parked'>;
  clock: Clock;
}

/** Applies reports in one transaction: all or none. */
export interface Reports<Report, Applied> {
  apply(reports: readonly Report[]): Promise<Applied>;
}

/** Writes reports of one kind in batches, one transaction each; parks reports that cannot be applied. */
export class ReportWriter<Report, Applied> {
  private readonly commits: GroupCommit<Report>;

  constructor(
    private readonly reports: Reports<Report, Applied>,
    /** Called after the commit of a batch. */
    private readonly applied: (reports: readonly Report[], applied: Applied) => void,
    private readonly parts: ReportWriterParts,
  ) {
    this.commits = new GroupCommit((reports) => this.write(reports), {
      maxItems: MAX_BATCH,
      // Reports that arrive during a write form the next batch; an idle writer does not wait.
      gatherMs: 0,
      clock: parts.clock,
    });
  }

  /** Number of reports not written yet. */
  get pending(): number {
    return this.commits.pending;
  }

  /** Resolves when the report is written or parked; rejects if the database cannot store it now. */
  submit(report: Report): Promise<void> {
    return this.commits.submit(report);
  }

  /** Parks a report that cannot be applied. */
  async park(reason: string, body: string, error: unknown): Promise<void> {
    const fullReason = error instanceof Error ? `${reason}: ${error.message}` : reason;
    await this.parts.parked.park({ reason: fullReason, body });
    this.parts.telemetry.parked(reason, error);
  }

  private async write(reports: Report[]): Promise<void[]> {
    await this.applyOrPark(reports);
    return reports.map(() => undefined);
  }

  /** A bad report must not block the others: splits a failed batch until the bad report is isolated. */
  private async applyOrPark(reports: readonly Report[], isRepeated = false): Promise<void> {
    try {
      this.applied(reports, await this.reports.apply(reports));
    } catch (error) {
      if (this.parts.parked.isTransient(error)) throw error;
      // Another process may have inserted the same rows concurrently: the second attempt finds them.
      if (reports.length === 1 && !isRepeated) return this.applyOrPark(reports, true);
      if (reports.length === 1) {
        await this.park('The update cannot be applied', JSON.stringify(reports[0]), error);
        return;
      }
      const half = Math.ceil(reports.length / 2);
      await this.applyOrPark(reports.slice(0, half));
      await this.applyOrPark(reports.slice(half));
    }
  }
}
