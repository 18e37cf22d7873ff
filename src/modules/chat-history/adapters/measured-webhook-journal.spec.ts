import { Logger } from '@nestjs/common';
import { Registry } from 'prom-client';
import type { StatusUpdate } from '../domain/status-update';
import { LogWebhookJournal } from './log-webhook-journal';
import { MeasuredWebhookJournal } from './measured-webhook-journal';

const reported = (secondsAgo: number) => ({ at: new Date(Date.now() - secondsAgo * 1000) }) as StatusUpdate;

describe('MeasuredWebhookJournal', () => {
  beforeAll(() => {
    Logger.overrideLogger(false);
  });

  it('counts updates by what was done with them, and none by what stood in a body', async () => {
    const registry = new Registry();
    const journal = new MeasuredWebhookJournal(new LogWebhookJournal(), registry);
    journal.applied([reported(3), reported(1), reported(1)], 1);
    journal.received(3, 2);
    journal.heeded(1);
    journal.alerted('account_update', '204876543210002', 'DISABLED_UPDATE');
    journal.ignored('kind_of_somebody', 4);
    journal.dropped('204876543210002', 2);
    journal.refused();
    journal.notSubscribed('204876543210002', 'no');
    const text = await registry.metrics();
    for (const line of [
      'messaging_webhook_updates_total{result="applied"} 3',
      'messaging_webhook_updates_total{result="unmatched"} 1',
      'messaging_webhook_updates_total{result="inbound"} 5',
      'messaging_webhook_updates_total{result="ignored"} 4',
      'messaging_webhook_updates_total{result="dropped"} 2',
      'messaging_webhook_refused_total 1',
      'messaging_webhook_subscriptions_total{result="failed"} 1',
      'messaging_webhook_lag_seconds_bucket{le="2"} 0',
      'messaging_webhook_lag_seconds_bucket{le="5"} 1',
    ]) {
      expect(text).toContain(line);
    }
    expect(text).not.toMatch(/kind_of_somebody|204876543210002/);
  });
});
