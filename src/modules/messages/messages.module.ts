import { type DynamicModule, Module } from '@nestjs/common';
import { Registry } from 'prom-client';
import type { Settings } from '../../../config/settings';
import { UnitOfWork } from '../../kernel/unit-of-work';
import { GroupsModule } from '../groups/groups.module';
import { TemplatesModule } from '../templates/templates.module';
import { AccountMessages } from './adapters/account-messages';
import { HistorySettingsController } from './adapters/history-settings.controller';
import { MeasuredMessageStore } from './adapters/measured-message-store';
import { AuditRetention } from './adapters/audit-retention';
import { MessageFilesController } from './adapters/message-files.controller';
import { MessagePartitions } from './adapters/message-partitions';
import { MeasuredRetentionTelemetry } from './adapters/measured-retention-telemetry';
import { MessagesController } from './adapters/messages.controller';
import { PostgresExpiredMessages } from './adapters/postgres-expired-messages';
import { PostgresInboundMessageStore } from './adapters/postgres-inbound-message-store';
import { PostgresMessageArchive } from './adapters/postgres-message-archive';
import { PostgresMessageStore } from './adapters/postgres-message-store';
import { PostgresRetentionTurns } from './adapters/postgres-retention-turns';
import { PostgresStatusStore } from './adapters/postgres-status-store';
import { RetentionSchedule } from './adapters/retention-schedule';
import { ConversationMessages } from './domain/conversation-messages';
import { ExpiredMessages } from './domain/expired-messages.port';
import { HistoryPartitions } from './domain/history-partitions.port';
import { InboundMessages } from './domain/inbound-messages';
import { InboundMessageStore } from './domain/inbound-message-store.port';
import { MessageArchive } from './domain/message-archive.port';
import { MessageFiles } from './domain/message-files';
import { MessageHistory } from './domain/message-history';
import { MessageRetention } from './domain/message-retention';
import { MessageSearch } from './domain/message-search';
import { MessageStatuses } from './domain/message-statuses';
import { MessageStore } from './domain/message-store.port';
import { MessageTexts } from './domain/message-texts';
import { RetentionTelemetry } from './domain/retention-telemetry';
import { RetentionTurns } from './domain/retention-turns.port';
import { Retention } from './domain/retention-rounds';
import { StatusStore } from './domain/status-store.port';

/** The record of every message in both directions: content, status history, search, retention. */
@Module({})
export class MessagesModule {
  /** Registered once, by the root module; its exports are global. */
  static register({ role }: Pick<Settings, 'role'>): DynamicModule {
    return {
      module: MessagesModule,
      global: true,
      imports: [GroupsModule, TemplatesModule],
      controllers: [HistorySettingsController, MessagesController, MessageFilesController],
      providers: [
        AccountMessages,
        AuditRetention,
        ConversationMessages,
        InboundMessages,
        MessageFiles,
        MessageHistory,
        MessageRetention,
        MessageSearch,
        MessageStatuses,
        MessageTexts,
        Retention,
        PostgresMessageStore,
        {
          provide: MessageStore,
          inject: [PostgresMessageStore, UnitOfWork, Registry],
          useFactory: (store: PostgresMessageStore, unitOfWork: UnitOfWork, registry: Registry) =>
            new MeasuredMessageStore(store, unitOfWork, registry),
        },
        { provide: ExpiredMessages, useClass: PostgresExpiredMessages },
        { provide: HistoryPartitions, useClass: MessagePartitions },
        { provide: InboundMessageStore, useClass: PostgresInboundMessageStore },
        { provide: MessageArchive, useClass: PostgresMessageArchive },
        { provide: RetentionTelemetry, useClass: MeasuredRetentionTelemetry },
        { provide: RetentionTurns, useClass: PostgresRetentionTurns },
        { provide: StatusStore, useClass: PostgresStatusStore },
        ...(role === 'api' ? [] : [RetentionSchedule]),
      ],
      exports: [
        ConversationMessages,
        InboundMessages,
        MessageHistory,
        MessageRetention,
        MessageStatuses,
        Retention,
        RetentionTelemetry,
      ],
    };
  }
}
