import { Injectable } from '@nestjs/common';
import type { Slice, SliceRequest } from '../../../kernel/page';
import { decodeCursor, encodeCursor, type TimeCursor } from '../../../kernel/time-cursor';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { OptOutsService } from '../../groups/domain/opt-outs.service';
import { PhoneFilters } from '../../groups/domain/phone-filters';
import { conversationId as idOf } from '../../messages/domain/conversation-id';
import type { MessageStatus } from '../../messages/domain/message';
import { ConversationNotFoundError, NothingReceivedError } from './chat-history.errors';
import type { ChosenState, Conversation } from './conversation';
import { ConversationSearch } from './conversation-search';
import { LaterMessages, type OptOutSince } from './later-messages';
import {
  type ConversationFilter,
  type ConversationOrder,
  type ConversationRange,
  ConversationStore,
  type PersonNames,
  type PositionedConversation,
  type ConversationVersion,
  type UnreadConversation,
} from './conversation-store.port';
import { type ConversationMessagesQuery, ConversationMessages } from '../../messages/domain/conversation-messages';
import type { MessageDetail } from '../../messages/domain/message-search';

/** Conversations read per step of a search, and steps per call. */
const SEARCH_BATCH = 1000;
const MAX_SEARCHES = 5;
/** Changes that are added to counts in one transaction. */
const CHANGES_AT_ONCE = 5000;
/** The first page begins with so many matches by the end of a number; the same for all sizes of pages that clients use. */
const MOST_FIRST = 50;

/** Filters of the conversation list. */
export interface ConversationsRequest extends SliceRequest, ConversationFilter {
  /** Part of a name or username, or the beginning of a phone number in any notation, or its last digits, at least 4. */
  search?: string;
  /** By default newest first. */
  order?: ConversationOrder;
}

/** A conversation in a list. */
export interface ConversationView {
  conversation: Conversation;
  /** The name in the account's contacts, else the profile name. */
  contactName: string | null;
  /** The person's latest username on the platform; null: unknown. */
  username: string | null;
  /** Preview of the latest message; null if it was deleted. */
  lastText: string | null;
  /** The status of the latest message if the account sent it; null: the person did, or it was deleted. */
  lastStatus: MessageStatus | null;
  /** Preview of the latest unread message from the person; null: everything is read, or it was deleted. */
  unreadText: string | null;
  /** The person has opted out. */
  optedOut: boolean;
}

/** The conversations of an account and their messages. */
@Injectable()
export class ConversationsService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly conversations: ConversationStore,
    private readonly messages: ConversationMessages,
    private readonly optOuts: OptOutsService,
    private readonly phones: PhoneFilters,
    private readonly laterMessages: LaterMessages,
  ) {}

  /** After numbers that end with the searched digits; a search may return fewer than `limit` items before the end. */
  async list(accountId: string, request: ConversationsRequest): Promise<Slice<ConversationView>> {
    const { cursor, limit, search, order, ...filter } = request;
    const after = cursor === undefined ? undefined : (decodeCursor(cursor) ?? undefined);
    const { found, next } =
      search === undefined
        ? cut(await this.conversations.list(accountId, { after, filter, order, limit: limit + 1 }), limit)
        : await this.search(accountId, new ConversationSearch(search, await this.phones.search(accountId, search)), {
            after,
            filter,
            order,
            limit,
          });
    return { items: await this.views(accountId, found), nextCursor: next && encodeCursor(next) };
  }

  /**
   * Unread conversations of many accounts in one query, latest message first: at most `limit` per account, and those of
   * `known` that are still unread.
   */
  unread(accountIds: readonly string[], limit: number, known: readonly string[]): Promise<UnreadConversation[]> {
    return this.conversations.unread(accountIds, limit, known);
  }

  /** The latest conversations of many accounts with people who have written: at most `limit` open and as many done ones per account. */
  latest(accountIds: readonly string[], limit: number): Promise<ConversationVersion[]> {
    return this.conversations.latest(accountIds, limit);
  }

  /** How many open conversations of the account have unread messages: neither done ones nor those with opt-out keywords only. */
  countUnread(accountId: string): Promise<number> {
    return this.conversations.countUnread(accountId);
  }

  /** Adds the changes since to the counts of unread conversations; called regularly in each process. */
  async foldUnread(stopped: AbortSignal): Promise<void> {
    while ((await this.conversations.foldUnread(CHANGES_AT_ONCE)) === CHANGES_AT_ONCE && !stopped.aborted);
  }

  /** Throws ConversationNotFoundError. */
  async get(accountId: string, conversationId: string): Promise<ConversationView> {
    return this.view(await this.existing(accountId, conversationId));
  }

  /** The opt-out of its person from all messages; null: none. */
  optOutOf({ accountId, ...person }: Conversation): Promise<OptOutSince | null> {
    return this.laterMessages.since(accountId, personOf(person) ?? '');
  }

  /** Sets whether the conversation needs a reply; the next message from the person opens it again. Throws ConversationNotFoundError. */
  async setState(accountId: string, conversationId: string, state: ChosenState): Promise<ConversationView> {
    const conversation = await this.conversations.setState(accountId, conversationId, state);
    if (!conversation) throw new ConversationNotFoundError();
    return this.view(conversation);
  }

  /** Marks the person's latest message as unread. Throws ConversationNotFoundError, NothingReceivedError. */
  async markUnread(accountId: string, conversationId: string): Promise<ConversationView> {
    return this.unitOfWork.run(async () => {
      const conversation = await this.conversations.lock(accountId, conversationId);
      if (!conversation) throw new ConversationNotFoundError();
      if (conversation.windowExpiresAt === null) throw new NothingReceivedError();
      if (conversation.unreadCount > 0) return this.view(conversation);
      await this.conversations.setUnread(conversation.id, 1);
      return this.view({ ...conversation, unreadCount: 1 });
    });
  }

  /** Messages of a conversation, newest first; throws ConversationNotFoundError, UnknownBoundError. */
  async messagesOf(
    accountId: string,
    conversationId: string,
    query: ConversationMessagesQuery,
    request: SliceRequest,
  ): Promise<Slice<MessageDetail>> {
    const { id } = await this.existing(accountId, conversationId);
    return this.messages.list(accountId, id, query, request);
  }

  private async existing(accountId: string, conversationId: string): Promise<Conversation> {
    const conversation = await this.conversations.find(accountId, conversationId);
    if (!conversation) throw new ConversationNotFoundError();
    return conversation;
  }

  private async search(
    accountId: string,
    search: ConversationSearch,
    { after, limit, filter, order }: ConversationRange,
  ): Promise<{ found: Conversation[]; next: TimeCursor | null }> {
    if (search.completeNumber !== null && !after) {
      const exact = await this.conversations.find(accountId, idOf(accountId, search.completeNumber));
      if (exact) {
        return { found: await this.listed([exact], filter), next: null };
      }
    }
    const ofPerson = search.userId === null ? [] : await this.conversations.withUserId(accountId, search.userId);
    if (ofPerson.length > 0) {
      return { found: after ? [] : await this.listed(ofPerson, filter), next: null };
    }
    // They are listed at once: the scan would need many calls for a person who wrote long ago.
    const first =
      search.ending === null
        ? []
        : await this.conversations.endingWith(accountId, search.ending, {
            filter,
            order,
            limit: Math.min(Math.floor(limit / 2), MOST_FIRST),
          });
    const listed = after ? [] : first;
    const without = new Set(first.map(({ id }) => id));
    const scanned = await this.scan(accountId, search, { after, limit: limit - listed.length, filter, order }, without);
    return { ...scanned, found: [...listed, ...scanned.found] };
  }

  private async listed(conversations: readonly Conversation[], filter: ConversationFilter): Promise<Conversation[]> {
    const found = [];
    for (const one of conversations) {
      if (!isListed(one, filter)) continue;
      const isAnswerable = !filter.awaitingReply || ((await this.optOutOf(one))?.wroteSince ?? true);
      if (isAnswerable) found.push(one);
    }
    return found;
  }

  /** The matches; not those `without`, which the first page begins with. */
  private async scan(
    accountId: string,
    search: ConversationSearch,
    { after, limit, filter, order }: ConversationRange,
    without: ReadonlySet<string>,
  ): Promise<{ found: Conversation[]; next: TimeCursor | null }> {
    const found: PositionedConversation[] = [];
    let last = after;
    for (let searches = 0; searches < MAX_SEARCHES; searches++) {
      const positioned = await this.conversations.list(accountId, { after: last, filter, order, limit: SEARCH_BATCH });
      const names = await this.conversations.contactNames(
        accountId,
        positioned.map(({ conversation }) => conversation),
      );
      found.push(
        ...positioned.filter(
          ({ conversation }) =>
            !without.has(conversation.id) && search.matches(conversation, namesOf(conversation, names)),
        ),
      );
      if (found.length > limit) return cut(found, limit);
      last = positioned.at(-1)?.position;
      if (positioned.length < SEARCH_BATCH || !last) return cut(found, limit);
    }
    return { found: found.map(({ conversation }) => conversation), next: last ?? null };
  }

  private async view(conversation: Conversation): Promise<ConversationView> {
    const [view] = await this.views(conversation.accountId, [conversation]);
    return view!;
  }

  private async views(accountId: string, conversations: readonly Conversation[]): Promise<ConversationView[]> {
    if (conversations.length === 0) return [];
    const people = conversations.map(personOf).filter((person) => person !== null);
    const lastMessages = conversations.flatMap((one) =>
      [one.lastMessageId, unreadMessageOf(one)].filter((id) => id !== null),
    );
    const [names, optedOut, previews] = await Promise.all([
      this.conversations.contactNames(accountId, conversations),
      this.optOuts.optedOutAmong(accountId, people),
      this.messages.previews(accountId, lastMessages),
    ]);
    return conversations.map((conversation) => {
      const { name: contactName, username } = namesOf(conversation, names);
      const last = previews.get(conversation.lastMessageId);
      const lastText = last?.text ?? null;
      const lastStatus = conversation.lastDirection === 'Outbound' ? (last?.status ?? null) : null;
      const unreadText = previews.get(unreadMessageOf(conversation) ?? '')?.text ?? null;
      const hasOptedOut = optedOut.has(personOf(conversation) ?? '');
      return { conversation, contactName, username, lastText, lastStatus, unreadText, optedOut: hasOptedOut };
    });
  }
}

function personOf({ contactPhone, userId }: Pick<Conversation, 'contactPhone' | 'userId'>): string | null {
  return contactPhone ?? userId;
}

function isListed(conversation: Conversation, { unread, awaitingReply, state }: ConversationFilter): boolean {
  if (unread && conversation.unreadCount === 0) return false;
  if (awaitingReply && conversation.waitingSince === null) return false;
  return state === undefined || conversation.state === state;
}

function unreadMessageOf({ unreadCount, lastInboundId }: Conversation): string | null {
  return unreadCount > 0 ? lastInboundId : null;
}

function namesOf({ id, profileName }: Conversation, ofContacts: ReadonlyMap<string, PersonNames>): PersonNames {
  const { name = null, username = null } = ofContacts.get(id) ?? {};
  return { name: name ?? profileName, username };
}

/** The first `limit` items, and the position of the next page if there is one. */
function cut(
  positioned: readonly PositionedConversation[],
  limit: number,
): { found: Conversation[]; next: TimeCursor | null } {
  const kept = positioned.slice(0, limit);
  return {
    found: kept.map(({ conversation }) => conversation),
    next: positioned.length > limit ? (kept.at(-1)?.position ?? null) : null,
  };
}
