const COMPACT_AFTER = 1024;

/**
 * The first attempts of a job without a recorded answer. Positions are opened in ascending order; the window is as large as the range
 * of the open ones, independent of the size of the job.
 */
export class FirstAttemptWindow {
  private readonly open: number[] = [];
  private readonly answered = new Set<number>();
  private head = 0;

  /** Adds a claimed first attempt; positions ascend. */
  opened(position: number): void {
    this.open.push(position);
  }

  /** Marks the answer to an attempt as recorded. */
  recorded(position: number): void {
    this.answered.add(position);
    while (this.head < this.open.length && this.answered.delete(this.open[this.head]!)) this.head++;
    if (this.head > COMPACT_AFTER) {
      this.open.splice(0, this.head);
      this.head = 0;
    }
  }

  /** The lowest position without a recorded answer, or `cursor` if there is none. */
  settledBelow(cursor: number): number {
    return this.open[this.head] ?? cursor;
  }

  /** Whether no first attempt is open. */
  get empty(): boolean {
    return this.head === this.open.length;
  }
}
