import { Logger } from '@nestjs/common';
import { Registry } from 'prom-client';
import type { StatusUpdate } from '../../messages/domain/status-update';
import { LogWebhookTelemetry } from './log-webhook-telemetry';
import { WebhookMetrics } from './webhook-metrics';

const reported = (secondsAgo: number) => ({ at: new Date(Date.now() - secondsAgo * 1000) }) as StatusUpdate;

describe('LogWebhookTelemetry', () => {
  beforeAll(() => {
    Logger.overrideLogger(false);
  });

  it('counts updates by result, without labels from the body', async () => {
    const registry = new Registry();
    const telemetry = new LogWebhookTelemetry(new WebhookMetrics(registry));
    telemetry.applied([reported(3), reported(1), reported(1)], 1);
    telemetry.received(3, 2);
    telemetry.noticesApplied(1);
    telemetry.alerted('account_update', '204876543210002', 'DISABLED_UPDATE');
    telemetry.ignored('client_kind', 4);
    telemetry.dropped('204876543210002', 2);
    telemetry.refused();
    telemetry.notSubscribed('204876543210002', 'no');
    telemetry.leftToOthers('204876543210002', ['https://other.test']);
    const text = await registry.metrics();
    for (const line of [
      'messaging_webhook_updates_total{result="applied"} 3',
      'messaging_webhook_updates_total{result="unmatched"} 1',
      'messaging_webhook_updates_total{result="inbound"} 5',
      'messaging_webhook_updates_total{result="ignored"} 4',
      'messaging_webhook_updates_total{result="dropped"} 2',
      'messaging_webhook_refused_total 1',
      'messaging_platform_alerts_total 1',
      'messaging_webhook_subscriptions_total{result="failed"} 1',
      'messaging_webhook_subscriptions_total{result="left"} 1',
      'messaging_webhook_lag_seconds_bucket{le="2"} 0',
      'messaging_webhook_lag_seconds_bucket{le="5"} 1',
    ]) {
      expect(text).toContain(line);
    }
    expect(text).not.toMatch(/client_kind|204876543210002/);
  });
});
