import { Module } from '@nestjs/common';
import { GroupsModule } from '../groups/groups.module';
import { TemplatesModule } from '../templates/templates.module';
import { CloudApiReadReceipts } from './adapters/cloud-api-read-receipts';
import { ConversationErasureSubscription } from './adapters/conversation-erasure-subscription';
import { ConversationsController } from './adapters/conversations.controller';
import { MessagesController } from './adapters/messages.controller';
import { TypeOrmConversationErasureStore } from './adapters/typeorm-conversation-erasure-store';
import { TypeOrmConversationStore } from './adapters/typeorm-conversation-store';
import { TypeOrmMessageArchive } from './adapters/typeorm-message-archive';
import { ConversationErasure } from './domain/conversation-erasure.service';
import { ConversationErasureStore } from './domain/conversation-erasure-store.port';
import { ConversationStore } from './domain/conversation-store.port';
import { ConversationsService } from './domain/conversations.service';
import { MessageArchive } from './domain/message-archive.port';
import { MessageSearch } from './domain/message-search.service';
import { MessageTexts } from './domain/message-texts.service';
import { ReadMarks } from './domain/read-marks.service';
import { ReadReceipts } from './domain/read-receipts.port';

/** What clients see of the history: conversations and messages, read marks, exports and erasure. */
@Module({
  imports: [GroupsModule, TemplatesModule],
  controllers: [ConversationsController, MessagesController],
  providers: [
    ConversationsService,
    MessageSearch,
    MessageTexts,
    ReadMarks,
    ConversationErasure,
    ConversationErasureSubscription,
    { provide: ConversationStore, useClass: TypeOrmConversationStore },
    { provide: MessageArchive, useClass: TypeOrmMessageArchive },
    { provide: ConversationErasureStore, useClass: TypeOrmConversationErasureStore },
    { provide: ReadReceipts, useClass: CloudApiReadReceipts },
  ],
  exports: [ConversationErasure],
})
export class ConversationsModule {}
