import { Injectable, Logger } from '@nestjs/common';
import { Counter, Histogram, Registry } from 'prom-client';
import { labelledCounter } from '../../../infra/metrics/labelled-counter';
import { EventTelemetry } from '../domain/event-telemetry';

/** Failures are logged at most once in this time. */
const LOG_EVERY_MS = 30_000;

/** Metrics and log lines of deliveries to endpoints; URLs are not logged, as they may contain secrets. */
@Injectable()
export class MeasuredEventTelemetry extends EventTelemetry {
  private readonly logger = new Logger('Webhooks');
  private readonly deliveries: Counter<'result'>;
  private readonly endpoints: Counter<'change'>;
  private readonly duration: Histogram;
  private readonly lag: Histogram;
  private loggedAt = 0;

  constructor(registry: Registry) {
    super();
    const registers = [registry];
    this.deliveries = labelledCounter(registry, {
      name: 'messaging_webhook_deliveries_total',
      help: 'Delivery attempts to client webhook endpoints, by result: arrived or failed.',
      label: 'result',
      values: ['arrived', 'failed'],
    });
    this.endpoints = labelledCounter(registry, {
      name: 'messaging_webhook_endpoint_changes_total',
      help: 'Client webhook endpoints that became unreachable, recovered, or were disabled by the service.',
      label: 'change',
      values: ['unreachable', 'back', 'disabled'],
    });
    this.duration = new Histogram({
      name: 'messaging_webhook_delivery_seconds',
      help: 'Response time of client endpoints.',
      buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15],
      registers,
    });
    this.lag = new Histogram({
      name: 'messaging_webhook_delivery_lag_seconds',
      help: 'From an event to the end of its first delivery attempt.',
      buckets: [0.1, 0.5, 1, 2, 5, 30, 300, 3600],
      registers,
    });
  }

  attempted(arrived: boolean, durationMs: number, lagMs: number | null): void {
    this.deliveries.inc({ result: arrived ? 'arrived' : 'failed' });
    this.duration.observe(durationMs / 1000);
    if (lagMs !== null) this.lag.observe(Math.max(0, lagMs) / 1000);
  }

  unreachable({ id, accountId }: { id: string; accountId: string }, reason: string): void {
    this.endpoints.inc({ change: 'unreachable' });
    this.logger.warn(`The webhook endpoint ${id} of account ${accountId} is unreachable: ${reason}`);
  }

  recovered({ id, accountId }: { id: string; accountId: string }): void {
    this.endpoints.inc({ change: 'back' });
    this.logger.log(`The webhook endpoint ${id} of account ${accountId} recovered`);
  }

  disabled({ id, accountId }: { id: string; accountId: string }, reason: string): void {
    this.endpoints.inc({ change: 'disabled' });
    this.logger.warn(`The webhook endpoint ${id} of account ${accountId} was disabled: ${reason}`);
  }

  failed({ message }: Error): void {
    const now = Date.now();
    if (now - this.loggedAt < LOG_EVERY_MS) return;
    this.loggedAt = now;
    this.logger.error(`Delivering to webhook endpoints failed and will be retried: ${message}`);
  }
}
