import { createHmac } from 'node:crypto';
import { DiscoveryModule } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { TestingModule } from '@nestjs/testing';
import { pino } from 'pino';
import request from 'supertest';
import type { Database } from '../../src/infra/database/database';
import { configureHttp } from '../../src/infra/http/configure-http';
import type { Sender } from '../../src/modules/accounts/domain/sender';
import { SendersService } from '../../src/modules/accounts/domain/senders.service';
import {
  PlatformWebhookController,
  WebhookVerifyToken,
} from '../../src/modules/chat-history/adapters/platform-webhook.controller';
import { TypeOrmInboundStore } from '../../src/modules/chat-history/adapters/typeorm-inbound-store';
import { TypeOrmParkedUpdates } from '../../src/modules/chat-history/adapters/typeorm-parked-updates';
import { TypeOrmPlatformEvents } from '../../src/modules/chat-history/adapters/typeorm-platform-events';
import { InboundMessages } from '../../src/modules/chat-history/domain/inbound-messages.service';
import { InboundStore } from '../../src/modules/chat-history/domain/inbound-store.port';
import { ParkedUpdates } from '../../src/modules/chat-history/domain/parked-updates.port';
import { PlatformEvents } from '../../src/modules/chat-history/domain/platform-events.port';
import { PlatformNotices } from '../../src/modules/chat-history/domain/platform-notices.service';
import { WebhookIntake } from '../../src/modules/chat-history/domain/webhook-intake.service';
import { WebhookJournal } from '../../src/modules/chat-history/domain/webhook-journal';
import { TypeOrmContactStore } from '../../src/modules/groups/adapters/typeorm-contact-store';
import { ContactStore } from '../../src/modules/groups/domain/contact-store.port';
import { ContactsService } from '../../src/modules/groups/domain/contacts.service';
import { PhoneBook } from '../../src/modules/groups/domain/phone-book.port';
import { TypeOrmInboundMediaStore } from '../../src/modules/media/adapters/typeorm-inbound-media-store';
import { InboundMedia } from '../../src/modules/media/domain/inbound-media.service';
import { InboundMediaStore } from '../../src/modules/media/domain/inbound-media-store.port';
import { MediaStore } from '../../src/modules/media/domain/media-store.port';
import { SyncSignal } from '../../src/modules/templates/domain/sync-signal';
import { TemplateChanges } from '../../src/modules/templates/domain/template-changes';
import { TemplateReports } from '../../src/modules/templates/domain/template-reports.service';
import { statusParts, subscribeJobsAndSends } from './status-parts';

/** What the senders of these tests sign with. */
export const SECRET = 'app secret';
const PATH = '/webhooks/platform';

/** The webhook of the platform as it answers over HTTP, on real stores. */
export interface WebhookApp {
  app: NestExpressApplication;
  parts: TestingModule;
  /** Ids of senders whose limits the platform said to have changed. */
  limited: string[];
  post(body: string, signature?: string | null): request.Test;
  close(): Promise<void>;
}

/** Starts it; `senders` is asked anew for each body. */
export async function startWebhook(
  database: Database,
  senders: () => Partial<Sender>[],
  journal: WebhookJournal,
): Promise<WebhookApp> {
  const limited: string[] = [];
  const known = {
    all: () => Promise.resolve(senders()),
    limitsChanged: (ids: readonly string[]) => void limited.push(...ids),
  };
  const parts = await statusParts(database, {
    imports: [DiscoveryModule],
    controllers: [PlatformWebhookController],
    providers: [
      WebhookIntake,
      InboundMessages,
      PlatformNotices,
      ContactsService,
      InboundMedia,
      TemplateReports,
      TemplateChanges,
      SyncSignal,
      { provide: InboundStore, useClass: TypeOrmInboundStore },
      { provide: PlatformEvents, useClass: TypeOrmPlatformEvents },
      { provide: ContactStore, useClass: TypeOrmContactStore },
      { provide: InboundMediaStore, useClass: TypeOrmInboundMediaStore },
      { provide: SendersService, useValue: known },
      { provide: WebhookVerifyToken, useValue: { verifyToken: 'verify-me' } },
      { provide: ParkedUpdates, useClass: TypeOrmParkedUpdates },
      { provide: WebhookJournal, useValue: journal },
      // Nothing that comes in by the webhook reads numbers as people write them, or opens files.
      { provide: PhoneBook, useValue: {} },
      { provide: MediaStore, useValue: {} },
    ],
  }).compile();
  subscribeJobsAndSends(parts);
  const app = parts.createNestApplication<NestExpressApplication>({ bodyParser: false, logger: false });
  configureHttp(app, { maxFileBytes: 1, operationsOnly: false, logger: pino({ level: 'silent' }) });
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
