/** Lets only so many work at once; the others wait for their turn, first come first served. */
export class ReadingSlots {
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  /** Resolves when a slot is taken; it must be given back. */
  async take(): Promise<void> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  /** Hands the slot to whoever waits longest. */
  giveBack(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.free++;
  }
}
