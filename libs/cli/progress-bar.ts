import type { SingleBar } from 'cli-progress';
import type { JobProgress } from '../client/job-events';
import type { Output } from './output';

const ROOM_FOR_FIGURES = 73;
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
    const format = '{bar} {percentage} %  {sent} sent  {failed} failed or opted out  of {total}  {state}';
    progress.bar = new SingleBar(
      { format, barsize, stream: process.stderr, hideCursor: false },
      Presets.shades_classic,
    );
    return progress;
  }

  /** Shows the current progress. */
  show({ status, totalRecipients, successfullySent, failed, progressPercentage }: JobProgress): void {
    const figures = { sent: successfullySent, failed, state: status };
    if (this.bar) {
      if (this.lastStep < 0) this.bar.start(totalRecipients, 0, figures);
      this.bar.update(successfullySent + failed, figures);
      this.lastStep = 0;
    } else if (Math.floor(progressPercentage / STEP) > this.lastStep) {
      this.lastStep = Math.floor(progressPercentage / STEP);
      this.out.note(
        `${status}: ${progressPercentage} % (${successfullySent} sent, ${failed} failed or opted out of ${totalRecipients})`,
      );
    }
  }

  stop(): void {
    this.bar?.stop();
  }
}
