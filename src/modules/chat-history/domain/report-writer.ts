import type { Clock } from '../../../kernel/clock';
import { GroupCommit } from '../../../kernel/group-commit';
import type { ParkedUpdates } from './parked-updates.port';
import type { WebhookJournal } from './webhook-journal';

/** What arrives within this time is written together. */
const GATHER_MS = 20;
const MAX_TOGETHER = 1000;

/** What a writer needs beside the way to write. */
export interface ReportWriterParts {
  parked: ParkedUpdates;
  journal: Pick<WebhookJournal, 'parked'>;
  clock: Clock;
}

/** Writes reports of one kind, many in one transaction; one that nothing can be done with is put aside. */
export class ReportWriter<Report> {
  private readonly commits: GroupCommit<Report>;

  constructor(
    private readonly apply: (reports: readonly Report[]) => Promise<void>,
    private readonly parts: ReportWriterParts,
  ) {
    this.commits = new GroupCommit((reports) => this.write(reports), {
      maxItems: MAX_TOGETHER,
      gatherMs: GATHER_MS,
      onFailure: 'reject',
      clock: parts.clock,
    });
  }

  /** Reports that are not written yet. */
  get pending(): number {
    return this.commits.pending;
  }

  /** Resolves when the report is written or put aside; rejects when the database cannot take it now. */
  submit(report: Report): Promise<void> {
    return this.commits.submit(report);
  }

  /** Puts something aside for a person to look at. */
  async park(reason: string, body: string, error: unknown): Promise<void> {
    const said = error instanceof Error ? `${reason}: ${error.message}` : reason;
    await this.parts.parked.park({ reason: said, body });
    this.parts.journal.parked(reason, error);
  }

  private async write(reports: Report[]): Promise<void[]> {
    await this.applyOrPark(reports);
    return reports.map(() => undefined);
  }

  /** One bad report must not hold up the others: a batch that fails is divided until the bad one stands alone. */
  private async applyOrPark(reports: readonly Report[], isRepeated = false): Promise<void> {
    try {
      await this.apply(reports);
    } catch (error) {
      if (this.parts.parked.isPassing(error)) throw error;
      // Somebody may have written the same at the same moment: the second time that is there already.
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
