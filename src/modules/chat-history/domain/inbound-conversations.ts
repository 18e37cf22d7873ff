import { Injectable } from '@nestjs/common';
import { KnownNumbers } from '../../groups/domain/known-numbers';
import { conversationId } from '../../messages/domain/conversation-id';
import type { InboundMessage, InboundRecord, RecordedInbound } from '../../messages/domain/inbound-message';
import type { IdentifiedPerson } from '../../groups/domain/identified-person';
import { ConversationStore } from './conversation-store.port';
import { conversationUpdates } from './conversation-update';

/** The conversations of inbound messages. */
@Injectable()
export class InboundConversations {
  constructor(
    private readonly store: ConversationStore,
    private readonly numbers: KnownNumbers,
  ) {}

  /**
   * The deduplicated messages with their conversations, ordered by id. A person who hides the number later stays in the
   * same conversation.
   */
  async assign(messages: readonly InboundMessage[]): Promise<InboundRecord[]> {
    const phones = await this.phonesByUserId(messages);
    const assigned = new Map<string, InboundRecord>();
    for (const message of messages) {
      // The platform may report a message as undeliverable and then send it under the same id.
      if (message.type === 'Unsupported' && assigned.has(message.id)) continue;
      const phone = message.phone ?? phones.get(keyOf(message)) ?? null;
      const person = phone ?? message.userId!;
      assigned.set(message.id, { ...message, phone, conversationId: conversationId(message.accountId, person) });
    }
    return [...assigned.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** Updates last message, unread count and 24 h window from recorded messages. */
  async update(messages: readonly RecordedInbound[]): Promise<void> {
    await this.store.applyInbound(conversationUpdates(messages));
  }

  /**
   * Links phone numbers and user ids in existing conversations; returns the new links. Later messages with only the
   * user id then go into the conversation with the number.
   */
  async link(people: readonly IdentifiedPerson[]): Promise<IdentifiedPerson[]> {
    return people.length === 0 ? [] : this.store.linkUserIds(people);
  }

  /** Replaces the user id of a person of the account. */
  changeUserId(accountId: string, before: string, after: string): Promise<void> {
    return this.store.changeUserId(accountId, before, after);
  }

  private async phonesByUserId(messages: readonly InboundMessage[]): Promise<Map<string, string>> {
    const hidden = messages.flatMap(({ accountId, phone, userId }) => {
      return phone === null && userId !== null ? [{ accountId, userId }] : [];
    });
    const known = [...(await this.numbers.find(hidden)), ...messages];
    return new Map(
      known.flatMap((one) => (one.phone === null || one.userId === null ? [] : [[keyOf(one), one.phone]])),
    );
  }
}

function keyOf({ accountId, userId }: { accountId: string; userId: string | null }): string {
  return `${accountId} ${userId}`;
}
