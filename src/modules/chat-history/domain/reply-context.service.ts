import { Injectable } from '@nestjs/common';
import { ConversationNotFoundError } from './chat-history.errors';
import { type OpenConversation, ReplyLookup } from './reply-lookup.port';

/** What somebody has to know who wants to write into a conversation. */
@Injectable()
export class ReplyContext {
  constructor(private readonly lookup: ReplyLookup) {}

  /** Throws ConversationNotFoundError for a conversation that the account has not. */
  async conversation(accountId: string, id: string): Promise<OpenConversation> {
    const conversation = await this.lookup.conversation(accountId, id);
    if (!conversation) throw new ConversationNotFoundError();
    return conversation;
  }

  /** The platform's id of a message; null while the platform has none, undefined when it is not of this conversation. */
  async platformIdOf(conversationId: string, messageId: string): Promise<string | null | undefined> {
    return (await this.lookup.platformIds(conversationId, [messageId])).get(messageId);
  }
}
