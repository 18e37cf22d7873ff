import { type DynamicModule, Module } from '@nestjs/common';
import { Registry } from 'prom-client';
import type { Settings } from '../../../config/settings';
import { UnitOfWork } from '../../kernel/unit-of-work';
import { TemplatesModule } from '../templates/templates.module';
import { HistorySettingsController } from './adapters/history-settings.controller';
import { MeasuredMessageStore } from './adapters/measured-message-store';
import { AuditRetention } from './adapters/audit-retention';
import { MeasuredRetentionTelemetry } from './adapters/measured-retention-telemetry';
import { MessagesController } from './adapters/messages.controller';
import { PostgresExpiredMessages } from './adapters/postgres-expired-messages';
import { PostgresInboundMessageStore } from './adapters/postgres-inbound-message-store';
import { PostgresMessageArchive } from './adapters/postgres-message-archive';
import { PostgresMessageStore } from './adapters/postgres-message-store';
import { PostgresRetentionTurns } from './adapters/postgres-retention-turns';
import { PostgresStatusStore } from './adapters/postgres-status-store';
import { RetentionSchedule } from './adapters/retention-schedule';
import { StoredHistoryPartitions } from './adapters/stored-history-partitions';
import { ConversationMessages } from './domain/conversation-messages.service';
import { ExpiredMessages } from './domain/expired-messages.port';
import { HistoryPartitions } from './domain/history-partitions.port';
import { InboundMessages } from './domain/inbound-messages.service';
import { InboundMessageStore } from './domain/inbound-message-store.port';
import { MessageArchive } from './domain/message-archive.port';
import { MessageHistory } from './domain/message-history.service';
import { MessageRetention } from './domain/message-retention.service';
import { MessageSearch } from './domain/message-search.service';
import { MessageStatuses } from './domain/message-statuses.service';
import { MessageStore } from './domain/message-store.port';
import { MessageTexts } from './domain/message-texts.service';
import { RetentionTelemetry } from './domain/retention-telemetry';
import { RetentionTurns } from './domain/retention-turns.port';
import { Retention } from './domain/retention.service';
import { StatusStore } from './domain/status-store.port';

/** The record of every message in both directions: content, status history, search, retention. */
@Module({})
export class MessagesModule {
  /** Registered once, by the root; what it exports is there for every module. */
  static register({ role }: Pick<Settings, 'role'>): DynamicModule {
    return {
      module: MessagesModule,
      global: true,
      imports: [TemplatesModule],
      controllers: [HistorySettingsController, MessagesController],
      providers: [
        AuditRetention,
        ConversationMessages,
        InboundMessages,
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
        { provide: HistoryPartitions, useClass: StoredHistoryPartitions },
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
