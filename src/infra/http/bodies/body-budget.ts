import { type AdmittedBody, type BodyAdmission, BodiesBusyError } from './body-admission';

interface Reading {
  bytes: number;
  evict: () => void;
}

/**
 * Limits the bytes of all bodies being read to `maxBytes`. Beyond it, evicts the oldest: slow clients hold memory longest, and the
 * platform's bodies arrive at once.
 */
export class BodyBudget implements BodyAdmission {
  /** Oldest first. */
  private readonly readings = new Set<Reading>();
  private bytes = 0;

  constructor(private readonly maxBytes: number) {}

  /** Starts reading a body; `giveUp` is called with BodiesBusyError when it is evicted. */
  begin(giveUp: (error: Error) => void): AdmittedBody {
    const reading = { bytes: 0, evict: () => giveUp(new BodiesBusyError()) };
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
      if (this.bytes <= this.maxBytes) return;
      if (reading.bytes === 0) continue;
      this.end(reading);
      reading.evict();
    }
  }

  private end(reading: Reading): void {
    if (this.readings.delete(reading)) this.bytes -= reading.bytes;
  }
}
