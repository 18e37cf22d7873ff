import { Injectable } from '@nestjs/common';
import { KnownNumbers } from '../../groups/domain/known-numbers';
import { conversationId } from '../../messages/domain/conversation-id';
import {
  countsAsUnread,
  type InboundMessage,
  type InboundRecord,
  isFromPerson,
  type RecordedInbound,
} from '../../messages/domain/inbound-message';
import type { IdentifiedPerson } from '../../groups/domain/identified-person';
import { WINDOW_MS } from './conversation';
import { ConversationStore, type ConversationUpdate } from './conversation-store.port';

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

  /**
   * Updates last message, unread count, state and 24 h window from recorded messages. `keywords`: ids of those that only opt a
   * person out or in.
   */
  async update(messages: readonly RecordedInbound[], keywords: ReadonlySet<string>): Promise<void> {
    await this.store.applyInbound(conversationUpdates(messages, keywords));
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

/** An open conversation stays open after a keyword. */
function stateAfter(before: ConversationUpdate['state'] | undefined, isKeyword: boolean): ConversationUpdate['state'] {
  return isKeyword && before !== 'Open' ? 'Keyword' : 'Open';
}

/** The updates that new inbound messages make, one per conversation, ordered by id. */
export function conversationUpdates(
  messages: readonly RecordedInbound[],
  keywords: ReadonlySet<string>,
): ConversationUpdate[] {
  const updates = new Map<string, ConversationUpdate>();
  const chronological = [...messages].sort(
    (a, b) => a.orderedAt.getTime() - b.orderedAt.getTime() || (a.id < b.id ? -1 : 1),
  );
  for (const message of chronological) {
    const before = updates.get(message.conversationId);
    const opensWindow = isFromPerson(message);
    const isWritten = countsAsUnread(message);
    const isNew = message.isNew && isWritten;
    const isKeyword = keywords.has(message.id);
    updates.set(message.conversationId, {
      id: message.conversationId,
      accountId: message.accountId,
      contactPhone: before?.contactPhone ?? message.phone,
      userId: message.userId ?? before?.userId ?? null,
      profileName: message.profileName ?? before?.profileName ?? null,
      lastMessageId: message.id,
      lastMessageAt: message.orderedAt,
      unread: (before?.unread ?? 0) + (isNew ? 1 : 0),
      windowExpiresAt: opensWindow
        ? new Date(Math.max(before?.windowExpiresAt?.getTime() ?? 0, message.at.getTime() + WINDOW_MS))
        : (before?.windowExpiresAt ?? null),
      senderId: opensWindow ? message.senderId : (before?.senderId ?? null),
      lastInboundId: isWritten ? message.id : (before?.lastInboundId ?? null),
      state: isNew ? stateAfter(before?.state, isKeyword) : (before?.state ?? null),
      waitingSince: before?.waitingSince ?? (isNew && !isKeyword ? message.orderedAt : null),
    });
  }
  return [...updates.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}
