/** A body that is being read within a budget. */
export interface BudgetedBody {
  /** Counts further bytes; others may have to give way, or this one. */
  add(bytes: number): void;
  /** It is read, or nobody reads it any more. */
  end(): void;
}

interface Reading {
  bytes: number;
  giveWay: () => void;
}

/**
 * The bytes of all bodies that are being read at a time, at most `most`. Where more come, those that began first give way: who is slow
 * holds memory longest, and a body of the platform is there at once.
 */
export class BodyBudget {
  /** In the order in which they began. */
  private readonly readings = new Set<Reading>();
  private bytes = 0;

  constructor(private readonly most: number) {}

  /** Begins to read a body; `giveWay` is called at most once, and ends the reading. */
  begin(giveWay: () => void): BudgetedBody {
    const reading = { bytes: 0, giveWay };
    this.readings.add(reading);
    return {
      add: (bytes) => {
        if (!this.readings.has(reading)) return;
        reading.bytes += bytes;
        this.bytes += bytes;
        this.makeRoom();
      },
      end: () => this.end(reading),
    };
  }

  private makeRoom(): void {
    for (const reading of this.readings) {
      if (this.bytes <= this.most) return;
      if (reading.bytes === 0) continue;
      this.end(reading);
      reading.giveWay();
    }
  }

  private end(reading: Reading): void {
    if (this.readings.delete(reading)) this.bytes -= reading.bytes;
  }
}
