import { Injectable, Logger } from '@nestjs/common';
import type { StatusUpdate } from '../../messages/domain/status-update';
import { WebhookTelemetry } from '../domain/webhook-telemetry';
import { WebhookMetrics } from './webhook-metrics';

const QUIET_MS = 10_000;

/** Logs and counts the reports of the platform; lines that any client can cause are limited to one per 10 s. */
@Injectable()
export class LogWebhookTelemetry extends WebhookTelemetry {
  private readonly logger = new Logger('PlatformWebhook');
  private readonly loggedAt = new Map<string, number>();

  constructor(private readonly metrics: WebhookMetrics) {
    super();
  }

  refused(): void {
    this.metrics.refusals.inc();
    this.warnRarely('refused', 'A webhook with a missing or wrong signature was rejected');
  }

  applied(updates: readonly StatusUpdate[], unmatched: number): void {
    this.metrics.updates.inc({ result: 'applied' }, updates.length - unmatched);
    this.metrics.updates.inc({ result: 'unmatched' }, unmatched);
    const oldest = updates.reduce((least, { at }) => Math.min(least, at.getTime()), Infinity);
    if (oldest !== Infinity) this.metrics.lag.observe(Math.max(0, Date.now() - oldest) / 1000);
    this.logger.debug(`${updates.length} statuses applied, ${unmatched} of them for unknown messages`);
  }

  received(recorded: number, repeated: number): void {
    this.metrics.updates.inc({ result: 'inbound' }, recorded + repeated);
    this.logger.debug(`${recorded} inbound messages recorded, ${repeated} repeated`);
  }

  noticesApplied(count: number): void {
    this.metrics.updates.inc({ result: 'applied' }, count);
    this.logger.debug(`${count} notices of the platform applied`);
  }

  alerted(kind: string, businessAccountId: string, text: string): void {
    this.metrics.alerts.inc();
    this.logger.warn(`Platform notice for business account ${businessAccountId}: ${kind} ${text}. See platform_events`);
  }

  ignored(kind: string, count: number): void {
    this.metrics.updates.inc({ result: 'ignored' }, count);
    this.logger.debug(`${count} of kind ${kind} ignored`);
  }

  dropped(businessAccountId: string, count: number): void {
    this.metrics.updates.inc({ result: 'dropped' }, count);
    this.warnRarely(
      'dropped',
      `${count} updates of business account ${businessAccountId} were dropped: they were signed with the secret of another account`,
    );
  }

  parked(reason: string, error: unknown): void {
    this.metrics.updates.inc({ result: 'parked' });
    this.logger.error(`A report of the platform was parked in parked_updates. ${reason}`, error);
  }

  subscribed(businessAccountId: string): void {
    this.metrics.subscriptions.inc({ result: 'ok' });
    this.logger.log(`The platform reports on business account ${businessAccountId} to this service`);
  }

  notSubscribed(businessAccountId: string, reason: string): void {
    this.metrics.subscriptions.inc({ result: 'failed' });
    this.logger.warn(`The platform does not report on business account ${businessAccountId}, retrying: ${reason}`);
  }

  leftToOthers(businessAccountId: string, addresses: readonly string[]): void {
    this.metrics.subscriptions.inc({ result: 'left' });
    const where = addresses.join(', ') || "the app's own address";
    this.logger.warn(
      `The platform reports on business account ${businessAccountId} to ${where}, which may be another service: ` +
        'the subscription is left unchanged and statuses do not arrive here. To take it over, start once with PUBLIC_URL_TAKEOVER=true',
    );
  }

  private warnRarely(topic: string, text: string): void {
    const now = Date.now();
    if (now - (this.loggedAt.get(topic) ?? -QUIET_MS) < QUIET_MS) return;
    this.loggedAt.set(topic, now);
    this.logger.warn(text);
  }
}
