import { Module } from '@nestjs/common';
import { GroupsModule } from '../groups/groups.module';
import { AnswerErasure } from './adapters/answer-erasure';
import { CloudApiReadReceipts } from './adapters/cloud-api-read-receipts';
import { ConversationRetention } from './adapters/conversation-retention';
import { ConversationsController } from './adapters/conversations.controller';
import { PostgresConversationErasureStore } from './adapters/postgres-conversation-erasure-store';
import { PostgresConversationStore } from './adapters/postgres-conversation-store';
import { ConversationErasure } from './domain/conversation-erasure.service';
import { ConversationJoins } from './domain/conversation-joins.service';
import { ConversationErasureStore } from './domain/conversation-erasure-store.port';
import { ConversationStore } from './domain/conversation-store.port';
import { ConversationsService } from './domain/conversations.service';
import { InboundConversations } from './domain/inbound-conversations.service';
import { ReadMarks } from './domain/read-marks.service';
import { ReadReceipts } from './domain/read-receipts.port';
import { ReplyContext } from './domain/reply-context.service';

/** Conversations: what is unread, the 24 h window, read marks, what replies refer to, export and erasure. */
@Module({
  imports: [GroupsModule],
  controllers: [ConversationsController],
  providers: [
    AnswerErasure,
    ConversationErasure,
    ConversationJoins,
    ConversationRetention,
    ConversationsService,
    InboundConversations,
    ReadMarks,
    ReplyContext,
    { provide: ConversationStore, useClass: PostgresConversationStore },
    { provide: ConversationErasureStore, useClass: PostgresConversationErasureStore },
    { provide: ReadReceipts, useClass: CloudApiReadReceipts },
  ],
  exports: [
    AnswerErasure,
    ConversationErasure,
    ConversationJoins,
    ConversationsService,
    InboundConversations,
    ReplyContext,
  ],
})
export class ChatHistoryModule {}
