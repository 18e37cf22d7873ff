import type { Clock } from '../../../kernel/clock';
import { GroupCommit } from '../../../kernel/group-commit';
import type { ParkedUpdates } from './parked-updates.port';
import type { WebhookTelemetry } from './webhook-telemetry';

const MAX_TOGETHER = 1000;

/** What a writer needs besides the function that applies reports. */
export interface ReportWriterParts {
  parked: ParkedUpdates;
  telemetry: Pick<WebhookTelemetry, 'parked'>;
  clock: Clock;
}

/** Writes reports of one kind, many in one transaction; a report that cannot be applied is parked. */
export class ReportWriter<Report> {
  private readonly commits: GroupCommit<Report>;

  constructor(
    private readonly apply: (reports: readonly Report[]) => Promise<void>,
    private readonly parts: ReportWriterParts,
  ) {
    this.commits = new GroupCommit((reports) => this.write(reports), {
      maxItems: MAX_TOGETHER,
      // What comes while a batch is written is the next one; an idle writer waits for nobody.
      gatherMs: 0,
      clock: parts.clock,
    });
  }

  /** Reports that are not written yet. */
  get pending(): number {
    return this.commits.pending;
  }

  /** Resolves when the report is written or parked; rejects when the database cannot take it now. */
  submit(report: Report): Promise<void> {
    return this.commits.submit(report);
  }

  /** Stores a report that cannot be applied for an operator. */
  async park(reason: string, body: string, error: unknown): Promise<void> {
    const fullReason = error instanceof Error ? `${reason}: ${error.message}` : reason;
    await this.parts.parked.park({ reason: fullReason, body });
    this.parts.telemetry.parked(reason, error);
  }

  private async write(reports: Report[]): Promise<void[]> {
    await this.applyOrPark(reports);
    return reports.map(() => undefined);
  }

  /** One bad report must not block the others: a batch that fails is split until the bad report is alone. */
  private async applyOrPark(reports: readonly Report[], isRepeated = false): Promise<void> {
    try {
      await this.apply(reports);
    } catch (error) {
      if (this.parts.parked.isPassing(error)) throw error;
      // Another process may have inserted the same rows at the same time: the second attempt finds them.
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
