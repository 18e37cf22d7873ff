import { Injectable } from '@nestjs/common';
import { conversationId } from '../../messages/domain/conversation-id';
import type { InboundMessage, InboundRecord, RecordedInbound } from '../../messages/domain/inbound-message';
import { ConversationStore, type IdentifiedPerson } from './conversation-store.port';
import { conversationUpdates } from './conversation-update';

/** The conversations of inbound messages. */
@Injectable()
export class InboundConversations {
  constructor(private readonly store: ConversationStore) {}

  /**
   * The messages with their conversations, each once, ordered by id. A person who has hidden the number after writing
   * under it stays in the same conversation.
   */
  async assign(messages: readonly InboundMessage[]): Promise<InboundRecord[]> {
    const phones = await this.phonesByUserId(messages);
    const assigned = new Map<string, InboundRecord>();
    for (const message of messages) {
      // The platform may report a message that it could not deliver, and then the message itself under the same id.
      if (message.type === 'Unsupported' && assigned.has(message.id)) continue;
      const phone = message.phone ?? phones.get(keyOf(message)) ?? null;
      const person = phone ?? message.userId!;
      assigned.set(message.id, { ...message, phone, conversationId: conversationId(message.accountId, person) });
    }
    return [...assigned.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** Updates last message, unread count and 24 h window by recorded messages. */
  async update(messages: readonly RecordedInbound[]): Promise<void> {
    await this.store.applyInbound(conversationUpdates(messages));
  }

  /**
   * Records that phone numbers and user ids belong together, in conversations that exist; returns those that were not known.
   * What a person writes under the user id alone then belongs to the conversation with the number.
   */
  async link(people: readonly IdentifiedPerson[]): Promise<IdentifiedPerson[]> {
    return people.length === 0 ? [] : this.store.linkUserIds(people);
  }

  /** Follows a person of the account to a new user id. */
  changeUserId(accountId: string, before: string, after: string): Promise<void> {
    return this.store.changeUserId(accountId, before, after);
  }

  private async phonesByUserId(messages: readonly InboundMessage[]): Promise<Map<string, string>> {
    const hidden = messages.flatMap(({ accountId, phone, userId }) => {
      return phone === null && userId !== null ? [{ accountId, userId }] : [];
    });
    if (hidden.length === 0) return new Map();
    const known = [...(await this.store.phonesOf(hidden)), ...messages];
    return new Map(
      known.flatMap((one) => (one.phone === null || one.userId === null ? [] : [[keyOf(one), one.phone]])),
    );
  }
}

function keyOf({ accountId, userId }: { accountId: string; userId: string | null }): string {
  return `${accountId} ${userId}`;
}
