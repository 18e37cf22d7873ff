import { Injectable } from '@nestjs/common';
import { ConversationMessages } from '../../messages/domain/conversation-messages';
import type { StoredMessage } from '../../messages/domain/stored-message';
import { ConversationNotFoundError } from './chat-history.errors';
import type { Conversation } from './conversation';
import { ConversationStore } from './conversation-store.port';

/** Looks up the conversation and messages that a reply refers to. */
@Injectable()
export class ReplyContext {
  constructor(
    private readonly conversations: ConversationStore,
    private readonly messages: ConversationMessages,
  ) {}

  /** Throws ConversationNotFoundError when the account has no such conversation. */
  async conversation(accountId: string, conversationId: string): Promise<Conversation> {
    const conversation = await this.conversations.find(accountId, conversationId);
    if (!conversation) throw new ConversationNotFoundError();
    return conversation;
  }

  /** A message of this conversation; null if it has none with this id. */
  async message(accountId: string, conversationId: string, messageId: string): Promise<StoredMessage | null> {
    return (await this.messages.find(accountId, conversationId, messageId))?.message ?? null;
  }
}
