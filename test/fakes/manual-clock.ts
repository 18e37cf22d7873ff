import { Clock } from '../../src/kernel/clock';

/** A clock advanced manually by the test. */
export class ManualClock extends Clock {
  private ms = 0;

  constructor(private readonly start = new Date('2026-01-31T12:00:00Z')) {
    super();
  }

  advance(ms: number): void {
    this.ms += ms;
  }

  now(): Date {
    return new Date(this.start.getTime() + this.ms);
  }

  monotonic(): number {
    return this.ms;
  }

  sleep(ms: number): Promise<void> {
    this.advance(ms);
    return Promise.resolve();
  }
}
