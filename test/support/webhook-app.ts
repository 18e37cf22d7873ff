import { createHmac } from 'node:crypto';
import { DiscoveryModule } from '@nestjs/core';
import { Registry } from 'prom-client';
import { LogWebhookTelemetry } from '../../src/modules/platform-webhook/adapters/log-webhook-telemetry';
import { WebhookMetrics } from '../../src/modules/platform-webhook/adapters/webhook-metrics';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { TestingModule } from '@nestjs/testing';
import { pino } from 'pino';
import request from 'supertest';
import type { Database } from '../../src/infra/database/database';
import { configureHttp } from '../../src/infra/http/configure-http';
import { FailedAttempts } from '../../src/infra/http/limits/failed-attempts';
import type { PlatformId } from '../../src/modules/accounts/domain/account-store.port';
import type { Sender } from '../../src/modules/accounts/domain/sender';
import { TrafficMarks } from '../../src/modules/accounts/domain/traffic-marks';
import { SendersService } from '../../src/modules/accounts/domain/senders.service';
import { PlatformWebhookRoute } from '../../src/modules/platform-webhook/adapters/platform-webhook.route';
import { PostgresInboundMessageStore } from '../../src/modules/messages/adapters/postgres-inbound-message-store';
import { InboundMessageStore } from '../../src/modules/messages/domain/inbound-message-store.port';
import { InboundMessages } from '../../src/modules/messages/domain/inbound-messages';
import { PostgresParkedUpdates } from '../../src/modules/platform-webhook/adapters/postgres-parked-updates';
import { PostgresPlatformEvents } from '../../src/modules/platform-webhook/adapters/postgres-platform-events';
import { PostgresEventOutbox } from '../../src/modules/events/adapters/postgres-event-outbox';
import { EventOutboxStore } from '../../src/modules/events/domain/event-outbox.port';
import { EventOutbox } from '../../src/modules/events/domain/event-outbox';
import { TemplateEvents } from '../../src/modules/templates/domain/template-events';
import { InboundReports } from '../../src/modules/platform-webhook/domain/inbound-reports';
import { ParkedUpdates } from '../../src/modules/platform-webhook/domain/parked-updates.port';
import { PlatformEvents } from '../../src/modules/platform-webhook/domain/platform-events.port';
import { NoticeReports } from '../../src/modules/platform-webhook/domain/notice-reports';
import { WebhookIntake } from '../../src/modules/platform-webhook/domain/webhook-intake';
import { CloudApiWebhookProtocol } from '../../src/modules/platform-webhook/adapters/cloud-api-webhook-protocol';
import { WebhookProtocol } from '../../src/modules/platform-webhook/domain/webhook-protocol.port';
import { WebhookTelemetry } from '../../src/modules/platform-webhook/domain/webhook-telemetry';
import { PostgresInboundMediaStore } from '../../src/modules/media/adapters/postgres-inbound-media-store';
import { InboundMedia } from '../../src/modules/media/domain/inbound-media';
import { InboundMediaStore } from '../../src/modules/media/domain/inbound-media-store.port';
import { MediaStore } from '../../src/modules/media/domain/media-store.port';
import { SyncSignal } from '../../src/modules/templates/domain/sync-signal';
import { TemplateChanges } from '../../src/modules/templates/domain/template-changes';
import { TemplateReports } from '../../src/modules/templates/domain/template-reports';
import { MediaInMemory } from '../fakes/media-in-memory';
import { statusParts } from './status-parts';

/** The app secret of these tests' senders. */
export const SECRET = 'app secret';
const PATH = '/webhooks/platform';

/** The platform webhook over HTTP, on real stores. */
export interface WebhookApp {
  app: NestExpressApplication;
  parts: TestingModule;
  /** Ids of senders with reported limit changes. */
  limited: string[];
  post(body: string, signature?: string | null): request.Test;
  close(): Promise<void>;
}

/** Starts it; calls `senders` for each body. */
export async function startWebhook(database: Database, senders: () => Partial<Sender>[]): Promise<WebhookApp> {
  const telemetry = new LogWebhookTelemetry(new WebhookMetrics(new Registry()));
  const limited: string[] = [];
  const known = {
    allOf: () => Promise.resolve([{ messagingTier: 'Unlimited' }]),
    with: (field: PlatformId, ids: Iterable<string>) => {
      const wanted = new Set(ids);
      return Promise.resolve(senders().filter((sender) => wanted.has(sender[field] ?? '')));
    },
    appSecrets: (after: string | null) =>
      Promise.resolve(after === null ? senders().map(({ id, appSecret }) => ({ senderId: id, appSecret })) : []),
    hasSeveral: (accountId: string) =>
      Promise.resolve(senders().filter((sender) => sender.accountId === accountId).length > 1),
    limitsChanged: (ids: readonly string[]) => void limited.push(...ids),
  };
  const parts = await statusParts(database, {
    imports: [DiscoveryModule],
    providers: [
      PlatformWebhookRoute,
      FailedAttempts,
      TrafficMarks,
      WebhookIntake,
      InboundMessages,
      InboundReports,
      NoticeReports,
      InboundMedia,
      TemplateReports,
      TemplateChanges,
      TemplateEvents,
      SyncSignal,
      EventOutbox,
      { provide: EventOutboxStore, useClass: PostgresEventOutbox },
      { provide: InboundMessageStore, useClass: PostgresInboundMessageStore },
      { provide: PlatformEvents, useClass: PostgresPlatformEvents },
      { provide: InboundMediaStore, useClass: PostgresInboundMediaStore },
      { provide: SendersService, useValue: known },
      { provide: WebhookProtocol, useValue: new CloudApiWebhookProtocol('verify-me') },
      { provide: ParkedUpdates, useClass: PostgresParkedUpdates },
      { provide: WebhookTelemetry, useValue: telemetry },
      // The webhook opens no files.
      { provide: MediaStore, useClass: MediaInMemory },
    ],
  }).compile();
  const app = parts.createNestApplication<NestExpressApplication>({ bodyParser: false, logger: false });
  const direct = [app.get(PlatformWebhookRoute)];
  configureHttp(app, { maxFileBytes: 1, logger: pino({ level: 'silent' }), direct });
  await app.listen(0, '127.0.0.1');
  return {
    app,
    parts,
    limited,
    post(body, signature = sign(body)) {
      const call = request(app.getHttpServer()).post(PATH).set('content-type', 'application/json');
      return (signature === null ? call : call.set('x-hub-signature-256', signature)).send(body);
    },
    close: () => app.close(),
  };
}

/** The signature of a body. */
export function sign(body: string | Buffer, secret = SECRET): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}
