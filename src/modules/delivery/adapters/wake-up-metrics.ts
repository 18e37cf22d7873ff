import { Injectable } from '@nestjs/common';
import { type Counter, Histogram, Registry } from 'prom-client';
import { labelledCounter } from '../../../infra/metrics/labelled-counter';

const LAG_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Counts wake-ups between processes and measures how long they take. */
@Injectable()
export class WakeUpMetrics {
  private readonly wakeUps: Counter<'event'>;
  private readonly lag: Histogram;

  constructor(registry: Registry) {
    this.wakeUps = labelledCounter(registry, {
      name: 'messaging_wake_ups_total',
      help: 'Wake-ups over Redis that this process sent, received or failed to send.',
      label: 'event',
      values: ['sent', 'received', 'failed'],
    });
    this.lag = new Histogram({
      name: 'messaging_wake_up_lag_seconds',
      help: 'Delay from sending a wake-up to receiving it, by the clocks of both processes.',
      buckets: LAG_BUCKETS,
      registers: [registry],
    });
  }

  sent(): void {
    this.wakeUps.inc({ event: 'sent' });
  }

  failed(): void {
    this.wakeUps.inc({ event: 'failed' });
  }

  /** `sentAt` in milliseconds since 1970. */
  received(sentAt: number): void {
    this.wakeUps.inc({ event: 'received' });
    this.lag.observe(Math.max(0, Date.now() - sentAt) / 1000);
  }
}
