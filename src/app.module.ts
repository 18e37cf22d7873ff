import { type DynamicModule, Module } from '@nestjs/common';
import type { Settings } from '../config/settings';
import { CloudApiModule } from './infra/cloud-api/cloud-api.module';
import { DatabaseModule } from './infra/database/database.module';
import { HealthModule } from './infra/health/health.module';
import { HttpKitModule } from './infra/http/http-kit.module';
import { UnknownApiRoutesModule } from './infra/http/edge/unknown-api-routes.module';
import { UploadsModule } from './infra/http/uploads/uploads.module';
import { MetricsModule } from './infra/metrics/metrics.module';
import { RedisModule } from './infra/redis/redis.module';
import { AccountsModule } from './modules/accounts/accounts.module';
import { BulkJobsModule } from './modules/bulk-jobs/bulk-jobs.module';
import { JobErasure } from './modules/bulk-jobs/domain/job-erasure';
import { StoredResponseErasure } from './modules/chat-history/adapters/stored-response-erasure';
import { ChatHistoryModule } from './modules/chat-history/chat-history.module';
import { PlatformWebhookModule } from './modules/platform-webhook/platform-webhook.module';
import { ConversationErasure } from './modules/chat-history/domain/conversation-erasure';
import { PersonErasure } from './modules/groups/domain/person-erasure';
import { MessagesModule } from './modules/messages/messages.module';
import { LiveModule } from './modules/live/live.module';
import { DeliveryModule } from './modules/delivery/delivery.module';
import { EventErasure } from './modules/events/domain/event-erasure';
import { EventsModule } from './modules/events/events.module';
import { GroupsModule } from './modules/groups/groups.module';
import { MediaModule } from './modules/media/media.module';
import { SendingModule } from './modules/sending/sending.module';
import { TemplatesModule } from './modules/templates/templates.module';
import { SCHEMA } from './schema/schema';

/** Settings with a known platform address. */
export type RunnableSettings = Settings & { platform: { apiUrl: string } };

/** The composition root: all modules and the infrastructure that they share. */
@Module({})
export class AppModule {
  constructor(
    people: PersonErasure,
    conversations: ConversationErasure,
    jobs: JobErasure,
    answers: StoredResponseErasure,
    events: EventErasure,
  ) {
    for (const part of [conversations, jobs, answers, events]) people.add(part);
  }

  static register(settings: RunnableSettings): DynamicModule {
    const { platform } = settings;
    return {
      module: AppModule,
      imports: [
        DatabaseModule.register({
          databaseUrl: settings.databaseUrl,
          dataDir: settings.dataDir,
          schema: SCHEMA,
          poolSize: settings.databasePoolSize,
        }),
        RedisModule.register(settings),
        CloudApiModule.register({
          baseUrl: platform.apiUrl,
          version: platform.apiVersion,
          timeoutMs: platform.timeoutSeconds * 1000,
          connections: platform.connections,
          mediaHosts: platform.mediaHosts,
        }),
        HttpKitModule,
        UploadsModule.register(settings),
        HealthModule,
        MetricsModule.register(settings),
        AccountsModule.register(settings),
        MediaModule.register(settings),
        TemplatesModule,
        GroupsModule,
        ChatHistoryModule,
        MessagesModule.register(settings),
        SendingModule.register(settings),
        BulkJobsModule,
        DeliveryModule.register(settings),
        PlatformWebhookModule.register(settings),
        EventsModule.register(settings),
        LiveModule,
        // Last: it handles all unknown paths.
        UnknownApiRoutesModule,
      ],
    };
  }
}
