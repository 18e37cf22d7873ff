import { Module } from '@nestjs/common';
import { GroupsModule } from '../groups/groups.module';
import { StoredResponseErasure } from './adapters/stored-response-erasure';
import { CloudApiReadReceipts } from './adapters/cloud-api-read-receipts';
import { AccountConversations } from './adapters/account-conversations';
import { ConversationRetention } from './adapters/conversation-retention';
import { ConversationsController } from './adapters/conversations.controller';
import { PostgresConversationErasureStore } from './adapters/postgres-conversation-erasure-store';
import { PostgresQuickReplyStore } from './adapters/postgres-quick-reply-store';
import { QuickRepliesController } from './adapters/quick-replies.controller';
import { UnreadUpkeep } from './adapters/unread-upkeep';
import { PostgresConversationStore } from './adapters/postgres-conversation-store';
import { ConversationErasure } from './domain/conversation-erasure';
import { ConversationJoins } from './domain/conversation-joins';
import { ConversationErasureStore } from './domain/conversation-erasure-store.port';
import { ConversationStore } from './domain/conversation-store.port';
import { ConversationsService } from './domain/conversations.service';
import { InboundConversations } from './domain/inbound-conversations';
import { LaterMessages } from './domain/later-messages';
import { QuickRepliesService } from './domain/quick-replies.service';
import { QuickReplyStore } from './domain/quick-reply-store.port';
import { ReadMarks } from './domain/read-marks';
import { ReadReceipts } from './domain/read-receipts.port';
import { ReplyContext } from './domain/reply-context';

/** Conversations: unread counts, the 24 h window, read marks, reply context, quick replies, export and erasure. */
@Module({
  imports: [GroupsModule],
  controllers: [ConversationsController, QuickRepliesController],
  providers: [
    StoredResponseErasure,
    AccountConversations,
    ConversationErasure,
    ConversationJoins,
    ConversationRetention,
    ConversationsService,
    InboundConversations,
    LaterMessages,
    QuickRepliesService,
    ReadMarks,
    ReplyContext,
    UnreadUpkeep,
    { provide: ConversationStore, useClass: PostgresConversationStore },
    { provide: ConversationErasureStore, useClass: PostgresConversationErasureStore },
    { provide: QuickReplyStore, useClass: PostgresQuickReplyStore },
    { provide: ReadReceipts, useClass: CloudApiReadReceipts },
  ],
  exports: [
    StoredResponseErasure,
    ConversationErasure,
    ConversationJoins,
    ConversationsService,
    InboundConversations,
    LaterMessages,
    ReplyContext,
  ],
})
export class ChatHistoryModule {}
