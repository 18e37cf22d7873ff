import { type DynamicModule, Module } from '@nestjs/common';
import type { Settings } from '../../../config/settings';
import { AccountEndpoints } from './adapters/account-endpoints';
import { DeliveryLogPartitions } from './adapters/delivery-log-partitions';
import { EventsAfterRestore, EventsAfterRestoreSetting } from './adapters/events-after-restore';
import { MeasuredEventTelemetry } from './adapters/measured-event-telemetry';
import { PostgresDeliveryStore } from './adapters/postgres-delivery-store';
import { PostgresEventErasureStore } from './adapters/postgres-event-erasure-store';
import { PostgresEventOutbox } from './adapters/postgres-event-outbox';
import { PostgresWebhookEndpointStore } from './adapters/postgres-webhook-endpoint-store';
import { UndiciWebhookSender, WebhookAddresses } from './adapters/undici-webhook-sender';
import { EventsRole, WebhookDeliveryWorker } from './adapters/webhook-delivery-worker';
import { WebhookEndpointsController } from './adapters/webhook-endpoints.controller';
import { WebhookSecrets } from './adapters/webhook-secrets';
import { DeliveryStore } from './domain/delivery-store.port';
import { EventErasure } from './domain/event-erasure';
import { EventErasureStore } from './domain/event-erasure-store.port';
import { EventOutboxStore } from './domain/event-outbox.port';
import { EventOutbox } from './domain/event-outbox';
import { EventTelemetry } from './domain/event-telemetry';
import { WebhookDeliveries } from './domain/webhook-deliveries';
import { WebhookEndpointStore } from './domain/webhook-endpoint-store.port';
import { WebhookEndpoints } from './domain/webhook-endpoints';
import { WebhookSender } from './domain/webhook-sender.port';

/** Delivers the events of accounts to their webhook endpoints. */
@Module({})
export class EventsModule {
  /** Registered once, by the root module, and global, as other modules write events. */
  static register({
    role,
    webhookAllowPrivate,
    eventsAfterRestore,
  }: Pick<Settings, 'role' | 'webhookAllowPrivate' | 'eventsAfterRestore'>): DynamicModule {
    return {
      module: EventsModule,
      global: true,
      controllers: [WebhookEndpointsController],
      providers: [
        AccountEndpoints,
        EventErasure,
        EventsAfterRestore,
        EventOutbox,
        WebhookDeliveries,
        WebhookDeliveryWorker,
        WebhookEndpoints,
        WebhookSecrets,
        DeliveryLogPartitions,
        { provide: DeliveryStore, useClass: PostgresDeliveryStore },
        { provide: EventErasureStore, useClass: PostgresEventErasureStore },
        { provide: EventOutboxStore, useClass: PostgresEventOutbox },
        { provide: EventTelemetry, useClass: MeasuredEventTelemetry },
        { provide: WebhookEndpointStore, useClass: PostgresWebhookEndpointStore },
        { provide: WebhookSender, useClass: UndiciWebhookSender },
        { provide: WebhookAddresses, useValue: { allowPrivate: webhookAllowPrivate } satisfies WebhookAddresses },
        {
          provide: EventsAfterRestoreSetting,
          useValue: { confirmed: eventsAfterRestore } satisfies EventsAfterRestoreSetting,
        },
        { provide: EventsRole, useValue: { delivers: role !== 'api' } satisfies EventsRole },
      ],
      exports: [EventErasure, EventOutbox],
    };
  }
}
