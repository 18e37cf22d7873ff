import {
  type BeforeApplicationShutdown,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';
import { type Health, HealthChecks } from '../../../infra/health/health-checks';
import { Clock } from '../../../kernel/clock';
import { SenderTrafficService } from '../domain/sender-traffic.service';

/** How long a stop waits for the last marks; without them the last webhook seems up to a minute older. */
const SHUTDOWN_WAIT_MS = 2_000;
/** Maximum number of senders named in a reason. */
const MAX_NAMED = 3;

/** Runs SenderTrafficService, and reports missing status webhooks in readiness and metrics. */
@Injectable()
export class SenderTrafficHealth implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly traffic: SenderTrafficService,
    private readonly checks: HealthChecks,
    private readonly clock: Clock,
    registry: Registry,
  ) {
    const registers = [registry];
    new Gauge<'phone_number_id'>({
      name: 'messaging_last_status_webhook_timestamp_seconds',
      help:
        'When the platform last reported a message status for the sender; absent: never, or all is reported and ' +
        'nothing was sent for an hour.',
      labelNames: ['phone_number_id'],
      registers,
      collect() {
        this.reset();
        for (const { phoneNumberId, lastWebhookAt } of traffic.states) {
          if (lastWebhookAt) this.set({ phone_number_id: phoneNumberId }, lastWebhookAt.getTime() / 1000);
        }
      },
    });
    new Gauge({
      name: 'messaging_senders_unreported',
      help:
        'Senders that have sent messages for more than 10 minutes without receiving a status webhook; the same on ' +
        'every process.',
      registers,
      collect() {
        this.set(traffic.unreported.length);
      },
    });
  }

  onModuleInit(): void {
    this.checks.register({ name: 'status_webhooks', required: false, check: () => this.check() });
  }

  onApplicationBootstrap(): void {
    this.traffic.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.clock.atMost(SHUTDOWN_WAIT_MS, this.traffic.stop());
  }

  private check(): Health {
    const { unreported } = this.traffic;
    if (unreported.length === 0) return { ok: true };
    const named = unreported
      .slice(0, MAX_NAMED)
      .map(({ phoneNumberId, minutes }) => `${phoneNumberId} for ${minutes} min`);
    const others = unreported.length > MAX_NAMED ? ` and ${unreported.length - MAX_NAMED} others` : '';
    return {
      ok: false,
      reason:
        `messages are sent but no status webhooks arrive, by phone number id: ${named.join(', ')}${others}. ` +
        'Check the webhook subscription and PUBLIC_URL',
    };
  }
}
