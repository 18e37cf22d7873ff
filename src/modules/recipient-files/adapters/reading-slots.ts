/** Limits how many files are read at once; others wait, first come first served. */
export class ReadingSlots {
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  /** Resolves when a slot has been acquired; it must be released. */
  async take(): Promise<void> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  /** Passes the slot to the caller that has waited longest. */
  giveBack(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.free++;
  }
}
