import { type DynamicModule, Module } from '@nestjs/common';
import { CloudApiClient } from '../../infra/cloud-api/cloud-api-client';
import type { Settings } from '../../../config/settings';
import { GroupsModule } from '../groups/groups.module';
import { TemplatesModule } from '../templates/templates.module';
import { ChatHistoryModule } from '../chat-history/chat-history.module';
import { AppSubscriptions } from './adapters/app-subscriptions';
import { CloudApiAppSubscription } from './adapters/cloud-api-app-subscription';
import { CloudApiWebhookProtocol } from './adapters/cloud-api-webhook-protocol';
import { CloudApiWebhookSubscriptions } from './adapters/cloud-api-webhook-subscriptions';
import { LogWebhookTelemetry } from './adapters/log-webhook-telemetry';
import { WebhookMetrics } from './adapters/webhook-metrics';
import { PlatformSubscriptions } from './adapters/platform-subscriptions';
import { PlatformWebhookRoute } from './adapters/platform-webhook.route';
import { ParkedReportsCleanup } from './adapters/parked-reports-cleanup';
import { PostgresParkedUpdates } from './adapters/postgres-parked-updates';
import { SubscriptionReturn } from './adapters/subscription-return';
import { PostgresRecordedSubscriptions } from './adapters/postgres-recorded-subscriptions';
import { PostgresPlatformEvents } from './adapters/postgres-platform-events';
import { AppSubscription } from './domain/app-subscription.port';
import { Identities } from './domain/identities';
import { InboundReports } from './domain/inbound-reports';
import { NoticeReports } from './domain/notice-reports';
import { ParkedUpdates } from './domain/parked-updates.port';
import { RecordedSubscriptions } from './domain/recorded-subscriptions.port';
import { PlatformEvents } from './domain/platform-events.port';
import { StatusReports } from './domain/status-reports';
import { WebhookIntake } from './domain/webhook-intake';
import { WebhookProtocol } from './domain/webhook-protocol.port';
import { WebhookSubscriptions } from './domain/webhook-subscriptions.port';
import { WebhookTelemetry } from './domain/webhook-telemetry';

/** The platform's webhook and its subscriptions. */
@Module({})
export class PlatformWebhookModule {
  /** Registered once, by the root module. */
  static register({
    platform,
  }: {
    platform: Pick<Settings['platform'], 'webhookVerifyToken' | 'appId' | 'appSecret'>;
  }): DynamicModule {
    const verifyToken = platform.webhookVerifyToken;
    return {
      module: PlatformWebhookModule,
      imports: [ChatHistoryModule, GroupsModule, TemplatesModule],
      providers: [
        PlatformWebhookRoute,
        WebhookIntake,
        Identities,
        InboundReports,
        NoticeReports,
        StatusReports,
        SubscriptionReturn,
        ParkedReportsCleanup,
        { provide: PlatformEvents, useClass: PostgresPlatformEvents },
        AppSubscriptions,
        PlatformSubscriptions,
        {
          provide: AppSubscription,
          inject: [CloudApiClient],
          useFactory: (client: CloudApiClient) => new CloudApiAppSubscription(client, platform, verifyToken),
        },
        { provide: RecordedSubscriptions, useClass: PostgresRecordedSubscriptions },
        { provide: WebhookProtocol, useValue: new CloudApiWebhookProtocol(verifyToken) },
        {
          provide: WebhookSubscriptions,
          inject: [CloudApiClient],
          useFactory: (client: CloudApiClient) => new CloudApiWebhookSubscriptions(client, verifyToken),
        },
        { provide: ParkedUpdates, useClass: PostgresParkedUpdates },
        WebhookMetrics,
        { provide: WebhookTelemetry, useClass: LogWebhookTelemetry },
      ],
    };
  }
}
