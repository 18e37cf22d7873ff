import type { SingleBar } from 'cli-progress';
import type { JobProgress } from '../client/job-events';
import { isCutShort } from '../client/job-figures';
import { progressOf } from './commands/job-counts';
import type { Output } from './output';

const ROOM_FOR_FIGURES = 84;
const LONGEST_BAR = 40;
const STEP = 10;

/** The progress of a job on standard error: a bar on a terminal, otherwise a line for every tenth. */
export class ProgressBar {
  private bar: SingleBar | null = null;
  private lastStep = -1;

  private constructor(private readonly out: Output) {}

  static async start(out: Output): Promise<ProgressBar> {
    const progress = new ProgressBar(out);
    if (!out.isLive || out.json) return progress;
    const { SingleBar, Presets } = await import('cli-progress');
    const barsize = Math.max(5, Math.min(LONGEST_BAR, (process.stderr.columns || 80) - ROOM_FOR_FIGURES));
    const format = '{bar} {percentage} %  {sent} sent  {unsuccessful} {reasons}  of {total}{apart}  {state}';
    progress.bar = new SingleBar(
      { format, barsize, stream: process.stderr, hideCursor: false },
      Presets.shades_classic,
    );
    return progress;
  }

  /** Shows the current progress. */
  show(job: JobProgress & { invalidRows: number }): void {
    const { status, successfullySent } = job;
    const { valid, invalid, unsuccessful, percentage } = progressOf(job);
    const reasons = isCutShort(status) ? 'failed, opted out or not sent' : 'failed or opted out';
    const apart = invalid > 0 ? `; ${invalid} invalid` : '';
    const figures = { sent: successfullySent, unsuccessful, reasons, apart, state: status };
    if (this.bar) {
      if (this.lastStep < 0) this.bar.start(valid, 0, figures);
      this.bar.update(successfullySent + unsuccessful, figures);
      this.lastStep = 0;
    } else if (Math.floor(percentage / STEP) > this.lastStep) {
      this.lastStep = Math.floor(percentage / STEP);
      this.out.note(
        `${status}: ${percentage} % (${successfullySent} sent, ${unsuccessful} ${reasons} of ${valid}${apart})`,
      );
    }
  }

  stop(): void {
    this.bar?.stop();
  }
}
