const MOST_BEHIND_HEAD = 1024;

/**
 * Which first attempts of a job are still without a recorded answer. Positions are opened in rising order; the window
 * is as large as the spread of the open ones, never as the job.
 */
export class FirstAttemptWindow {
  private readonly open: number[] = [];
  private readonly answered = new Set<number>();
  private head = 0;

  /** A first attempt was claimed; `position` is above every one opened before. */
  opened(position: number): void {
    this.open.push(position);
  }

  /** The answer to it is recorded. */
  recorded(position: number): void {
    this.answered.add(position);
    while (this.head < this.open.length && this.answered.delete(this.open[this.head]!)) this.head++;
    if (this.head > MOST_BEHIND_HEAD) {
      this.open.splice(0, this.head);
      this.head = 0;
    }
  }

  /** The lowest position without a recorded answer, or `cursor` when there is none. */
  settledBelow(cursor: number): number {
    return this.open[this.head] ?? cursor;
  }

  /** No first attempt is open. */
  get empty(): boolean {
    return this.head === this.open.length;
  }
}
