import { Module } from '@nestjs/common';
import { Registry } from 'prom-client';
import { UnitOfWork } from '../../kernel/unit-of-work';
import { HistorySettingsController } from './adapters/history-settings.controller';
import { MeasuredMessageStore } from './adapters/measured-message-store';
import { MeasuredRetentionJournal } from './adapters/measured-retention-journal';
import { StoredHistoryPartitions } from './adapters/stored-history-partitions';
import { TypeOrmExpiredMessages } from './adapters/typeorm-expired-messages';
import { TypeOrmMessageStore } from './adapters/typeorm-message-store';
import { TypeOrmReplyLookup } from './adapters/typeorm-reply-lookup';
import { TypeOrmRetentionTurns } from './adapters/typeorm-retention-turns';
import { TypeOrmStatusStore } from './adapters/typeorm-status-store';
import { ExpiredMessages } from './domain/expired-messages.port';
import { HistoryPartitions } from './domain/history-partitions.port';
import { MessageHistory } from './domain/message-history.service';
import { MessageRetention } from './domain/message-retention.service';
import { MessageStore } from './domain/message-store.port';
import { PlatformStatuses } from './domain/platform-statuses.service';
import { ReplyContext } from './domain/reply-context.service';
import { ReplyLookup } from './domain/reply-lookup.port';
import { RetentionJournal } from './domain/retention-journal';
import { RetentionTurns } from './domain/retention-turns.port';
import { Retention } from './domain/retention.service';
import { StatusStore } from './domain/status-store.port';

/** The history of messages, and what the platform reports of them. */
@Module({
  controllers: [HistorySettingsController],
  providers: [
    MessageHistory,
    PlatformStatuses,
    ReplyContext,
    { provide: ReplyLookup, useClass: TypeOrmReplyLookup },
    TypeOrmMessageStore,
    {
      provide: MessageStore,
      inject: [TypeOrmMessageStore, UnitOfWork, Registry],
      useFactory: (store: TypeOrmMessageStore, unitOfWork: UnitOfWork, registry: Registry) =>
        new MeasuredMessageStore(store, unitOfWork, registry),
    },
    { provide: StatusStore, useClass: TypeOrmStatusStore },
    Retention,
    MessageRetention,
    { provide: RetentionTurns, useClass: TypeOrmRetentionTurns },
    { provide: RetentionJournal, useClass: MeasuredRetentionJournal },
    { provide: HistoryPartitions, useClass: StoredHistoryPartitions },
    { provide: ExpiredMessages, useClass: TypeOrmExpiredMessages },
  ],
  exports: [MessageHistory, PlatformStatuses, ReplyContext, Retention, RetentionJournal, MessageRetention],
})
export class ChatHistoryModule {}
