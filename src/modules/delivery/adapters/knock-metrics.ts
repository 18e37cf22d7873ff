import { Injectable } from '@nestjs/common';
import { Counter, Histogram, Registry } from 'prom-client';

const LAG_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Figures of the knocks that go from process to process. */
@Injectable()
export class KnockMetrics {
  private readonly knocks: Counter<'event'>;
  private readonly lag: Histogram;

  constructor(registry: Registry) {
    const registers = [registry];
    this.knocks = new Counter({
      name: 'messaging_knocks_total',
      help: 'Knocks over Redis that this process gave, heard, or could not give.',
      labelNames: ['event'],
      registers,
    });
    this.lag = new Histogram({
      name: 'messaging_knock_lag_seconds',
      help: 'From the knock to the process that hears it, by the clocks of both.',
      buckets: LAG_BUCKETS,
      registers,
    });
  }

  given(): void {
    this.knocks.inc({ event: 'given' });
  }

  failed(): void {
    this.knocks.inc({ event: 'failed' });
  }

  /** `givenAt` in milliseconds since 1970. */
  heard(givenAt: number): void {
    this.knocks.inc({ event: 'heard' });
    this.lag.observe(Math.max(0, Date.now() - givenAt) / 1000);
  }
}
