import { Injectable } from '@nestjs/common';
import { Counter, Histogram, Registry } from 'prom-client';
import { labelledCounter } from '../../../infra/metrics/labelled-counter';

const LAG_BUCKETS = [1, 2, 5, 10, 30, 60, 300, 1800, 7200];

/** The metrics of the platform's webhook. */
@Injectable()
export class WebhookMetrics {
  /** Not by kind: the kind comes from the body and is unbounded. */
  readonly updates: Counter<'result'>;
  readonly refusals: Counter;
  readonly alerts: Counter;
  readonly subscriptions: Counter<'result'>;
  readonly lag: Histogram;

  constructor(registry: Registry) {
    const registers = [registry];
    this.updates = labelledCounter(registry, {
      name: 'messaging_webhook_updates_total',
      help: 'Platform updates by result: applied, unmatched, inbound (messages from people), ignored, dropped (wrong secret) or parked.',
      label: 'result',
      values: ['applied', 'unmatched', 'inbound', 'ignored', 'dropped', 'parked'],
    });
    this.refusals = new Counter({
      name: 'messaging_webhook_refused_total',
      help: 'Webhooks whose signature was missing or wrong.',
      registers,
    });
    this.alerts = new Counter({
      name: 'messaging_platform_alerts_total',
      help: 'Restrictions, alerts and errors that the platform reported on business accounts.',
      registers,
    });
    this.subscriptions = labelledCounter(registry, {
      name: 'messaging_webhook_subscriptions_total',
      help: 'Attempts to have the platform report to this service: ok, failed, or left to another service.',
      label: 'result',
      values: ['ok', 'failed', 'left'],
    });
    this.lag = new Histogram({
      name: 'messaging_webhook_lag_seconds',
      help: "From the oldest status of a batch, by the platform's clock, until the batch was applied.",
      buckets: LAG_BUCKETS,
      registers,
    });
  }
}
