import { type DynamicModule, Module } from '@nestjs/common';
import { Registry } from 'prom-client';
import type { Settings } from '../../../config/settings';
import { GroupsModule } from '../groups/groups.module';
import { TemplatesModule } from '../templates/templates.module';
import { ChatHistoryModule } from './chat-history.module';
import { LogWebhookJournal } from './adapters/log-webhook-journal';
import { MeasuredWebhookJournal } from './adapters/measured-webhook-journal';
import { PlatformSubscriptions } from './adapters/platform-subscriptions';
import { PlatformWebhookController, WebhookVerifyToken } from './adapters/platform-webhook.controller';
import { PutAsideCleaning } from './adapters/put-aside-cleaning';
import { TypeOrmInboundStore } from './adapters/typeorm-inbound-store';
import { TypeOrmParkedUpdates } from './adapters/typeorm-parked-updates';
import { TypeOrmPlatformEvents } from './adapters/typeorm-platform-events';
import { InboundMessages } from './domain/inbound-messages.service';
import { InboundStore } from './domain/inbound-store.port';
import { ParkedUpdates } from './domain/parked-updates.port';
import { PlatformEvents } from './domain/platform-events.port';
import { PlatformNotices } from './domain/platform-notices.service';
import { WebhookIntake } from './domain/webhook-intake.service';
import { WebhookJournal } from './domain/webhook-journal';

/** What the platform reports: its webhook, and the subscriptions that make it report. */
@Module({})
export class PlatformWebhookModule {
  /** Registered once, by the root. */
  static register({ platform }: { platform: Pick<Settings['platform'], 'webhookVerifyToken'> }): DynamicModule {
    const expected: WebhookVerifyToken = { verifyToken: platform.webhookVerifyToken };
    return {
      module: PlatformWebhookModule,
      imports: [ChatHistoryModule, GroupsModule, TemplatesModule],
      controllers: [PlatformWebhookController],
      providers: [
        WebhookIntake,
        InboundMessages,
        PlatformNotices,
        PutAsideCleaning,
        { provide: InboundStore, useClass: TypeOrmInboundStore },
        { provide: PlatformEvents, useClass: TypeOrmPlatformEvents },
        PlatformSubscriptions,
        { provide: WebhookVerifyToken, useValue: expected },
        { provide: ParkedUpdates, useClass: TypeOrmParkedUpdates },
        LogWebhookJournal,
        {
          provide: WebhookJournal,
          inject: [LogWebhookJournal, Registry],
          useFactory: (journal: LogWebhookJournal, registry: Registry) => new MeasuredWebhookJournal(journal, registry),
        },
      ],
    };
  }
}
