import { type DynamicModule, Module } from '@nestjs/common';
import type { Settings } from '../config/settings';
import { CloudApiModule } from './infra/cloud-api/cloud-api.module';
import { DatabaseModule } from './infra/database/database.module';
import { HealthModule } from './infra/health/health.module';
import { HttpKitModule } from './infra/http/http-kit.module';
import { UnknownApiRoutesModule } from './infra/http/unknown-api-routes.module';
import { UploadsModule } from './infra/http/uploads/uploads.module';
import { MetricsModule } from './infra/metrics/metrics.module';
import { RedisModule } from './infra/redis/redis.module';
import { AccountsModule } from './modules/accounts/accounts.module';
import { BulkJobsModule } from './modules/bulk-jobs/bulk-jobs.module';
import { ChatHistoryModule } from './modules/chat-history/chat-history.module';
import { ConversationsModule } from './modules/chat-history/conversations.module';
import { PlatformWebhookModule } from './modules/chat-history/platform-webhook.module';
import { RetentionModule } from './modules/chat-history/retention.module';
import { DeliveryModule } from './modules/delivery/delivery.module';
import { GroupsModule } from './modules/groups/groups.module';
import { MediaModule } from './modules/media/media.module';
import { SendingModule } from './modules/sending/sending.module';
import { TemplatesModule } from './modules/templates/templates.module';

/** Settings that are complete: the platform's address is known. */
export type RunnableSettings = Settings & { platform: { apiUrl: string } };

/** The whole service: which modules there are, and the plumbing that they share. */
@Module({})
export class AppModule {
  static register(settings: RunnableSettings): DynamicModule {
    const { platform } = settings;
    return {
      module: AppModule,
      imports: [
        DatabaseModule.register({
          databaseUrl: settings.databaseUrl,
          dataDir: settings.dataDir,
          runMigrations: true,
        }),
        RedisModule.register(settings),
        CloudApiModule.register({
          baseUrl: platform.apiUrl,
          version: platform.apiVersion,
          timeoutMs: platform.timeoutSeconds * 1000,
        }),
        HttpKitModule,
        UploadsModule.register(settings),
        HealthModule,
        MetricsModule,
        AccountsModule.register(settings),
        MediaModule.register(settings),
        TemplatesModule,
        GroupsModule,
        ChatHistoryModule,
        ConversationsModule,
        PlatformWebhookModule.register(settings),
        RetentionModule.register(settings),
        SendingModule.register(settings),
        BulkJobsModule,
        DeliveryModule.register(settings),
        // Last: it takes every path that no other module serves.
        UnknownApiRoutesModule,
      ],
    };
  }
}
