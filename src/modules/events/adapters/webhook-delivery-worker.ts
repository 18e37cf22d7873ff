import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { HealthChecks } from '../../../infra/health/health-checks';
import { WebhookDeliveries } from '../domain/webhook-deliveries';

/** Whether this process delivers to endpoints. */
export abstract class EventsRole {
  /** False: workers do. */
  abstract readonly delivers: boolean;
}

const POLLED_WITHIN_MS = 10_000;

/** Starts and stops the deliveries with the process, and reports stalled deliveries in its readiness. */
@Injectable()
export class WebhookDeliveryWorker implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  constructor(
    private readonly deliveries: WebhookDeliveries,
    private readonly checks: HealthChecks,
    private readonly role: EventsRole,
  ) {}

  onModuleInit(): void {
    if (!this.role.delivers) return;
    this.checks.register({
      name: 'webhook_deliveries',
      // Messages are sent without them, and other workers deliver.
      required: false,
      check: () => {
        const { polledAgoMs } = this.deliveries;
        if (polledAgoMs === null || polledAgoMs <= POLLED_WITHIN_MS) return { ok: true };
        return { ok: false, reason: `the last check for events was ${Math.round(polledAgoMs / 1000)} s ago` };
      },
    });
  }

  onApplicationBootstrap(): void {
    if (this.role.delivers) this.deliveries.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.deliveries.stop();
  }
}
