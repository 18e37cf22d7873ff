import { Counter, Histogram, type Registry } from 'prom-client';
import { labelledCounter } from '../../../infra/metrics/labelled-counter';
import type { StatusUpdate } from '../../messages/domain/status-update';
import { WebhookTelemetry } from '../domain/webhook-telemetry';

const LAG_BUCKETS = [1, 2, 5, 10, 30, 60, 300, 1800, 7200];

/** Metrics of the platform's webhook; delegates to the log telemetry. */
export class MeasuredWebhookTelemetry extends WebhookTelemetry {
  private readonly updates: Counter<'result'>;
  private readonly refusals: Counter;
  private readonly subscriptions: Counter<'result'>;
  private readonly lag: Histogram;

  constructor(
    private readonly telemetry: WebhookTelemetry,
    registry: Registry,
  ) {
    super();
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

  refused(): void {
    this.refusals.inc();
    this.telemetry.refused();
  }

  applied(updates: readonly StatusUpdate[], unmatched: number): void {
    this.updates.inc({ result: 'applied' }, updates.length - unmatched);
    this.updates.inc({ result: 'unmatched' }, unmatched);
    const oldest = updates.reduce((least, { at }) => Math.min(least, at.getTime()), Infinity);
    if (oldest !== Infinity) this.lag.observe(Math.max(0, Date.now() - oldest) / 1000);
    this.telemetry.applied(updates, unmatched);
  }

  received(recorded: number, repeated: number): void {
    this.updates.inc({ result: 'inbound' }, recorded + repeated);
    this.telemetry.received(recorded, repeated);
  }

  noticesApplied(count: number): void {
    this.updates.inc({ result: 'applied' }, count);
    this.telemetry.noticesApplied(count);
  }

  alerted(kind: string, businessAccountId: string, text: string): void {
    this.telemetry.alerted(kind, businessAccountId, text);
  }

  ignored(kind: string, count: number): void {
    // Not by kind: the kind comes from the body and is unbounded.
    this.updates.inc({ result: 'ignored' }, count);
    this.telemetry.ignored(kind, count);
  }

  dropped(businessAccountId: string, count: number): void {
    this.updates.inc({ result: 'dropped' }, count);
    this.telemetry.dropped(businessAccountId, count);
  }

  parked(reason: string, error: unknown): void {
    this.updates.inc({ result: 'parked' });
    this.telemetry.parked(reason, error);
  }

  subscribed(businessAccountId: string): void {
    this.subscriptions.inc({ result: 'ok' });
    this.telemetry.subscribed(businessAccountId);
  }

  notSubscribed(businessAccountId: string, reason: string): void {
    this.subscriptions.inc({ result: 'failed' });
    this.telemetry.notSubscribed(businessAccountId, reason);
  }

  leftToOthers(businessAccountId: string, addresses: readonly string[]): void {
    this.subscriptions.inc({ result: 'left' });
    this.telemetry.leftToOthers(businessAccountId, addresses);
  }
}
