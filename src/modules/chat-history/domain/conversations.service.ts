import { Injectable } from '@nestjs/common';
import type { Slice, SliceRequest } from '../../../kernel/page';
import { OptOutsService } from '../../groups/domain/opt-outs.service';
import { ConversationNotFoundError, UnknownBoundError } from './chat-history.errors';
import { type Conversation, conversationId as idOf } from './conversation';
import { ConversationSearch } from './conversation-search';
import { ConversationStore, type PlacedConversation } from './conversation-store.port';
import type { Direction } from './kept-message';
import { MessageArchive } from './message-archive.port';
import { MessageTexts, previewOf, type ReadableMessage } from './message-texts.service';
import { afterMoment, beforeMoment, cursorOf, earlierOf, type Place, placeOf } from './place';

/** Conversations that one search looks through at once, and how often it does so. */
const SEARCHED_AT_ONCE = 1000;
const MOST_SEARCHES = 5;
const EXPORTED_AT_ONCE = 500;

/** A conversation as its list shows it. */
export interface ConversationView {
  conversation: Conversation;
  /** As the account calls the person, else as they call themself. */
  contactName: string | null;
  /** What its latest message says; null where that message is gone. */
  lastText: string | null;
  /** Nothing may be sent to them. */
  optedOut: boolean;
}

/** A place among the messages of a conversation: that of a message, or a moment. */
export type MessageBound = { messageId: string } | { moment: Date };

/** Which messages of a conversation are wanted: older than `before`, newer than `after`. */
export interface ConversationMessagesQuery {
  before?: MessageBound;
  after?: MessageBound;
  direction?: Direction;
}

/** The account's conversations and what was said in them. */
@Injectable()
export class ConversationsService {
  constructor(
    private readonly conversations: ConversationStore,
    private readonly archive: MessageArchive,
    private readonly texts: MessageTexts,
    private readonly optOuts: OptOutsService,
  ) {}

  /** Latest message first; a search may find fewer than asked for although the list goes on. */
  async list(accountId: string, request: SliceRequest & { search?: string }): Promise<Slice<ConversationView>> {
    const { cursor, limit, search } = request;
    const after = cursor === undefined ? undefined : (placeOf(cursor) ?? undefined);
    const { found, next } =
      search === undefined
        ? cut(await this.conversations.list(accountId, after, limit + 1), limit)
        : await this.search(accountId, new ConversationSearch(search), after, limit);
    return { items: await this.views(accountId, found), nextCursor: next && cursorOf(next) };
  }

  /** Throws ConversationNotFoundError. */
  async get(accountId: string, conversationId: string): Promise<ConversationView> {
    const conversation = await this.existing(accountId, conversationId);
    const [view] = await this.views(accountId, [conversation]);
    return view!;
  }

  /** Messages of a conversation, newest first; throws ConversationNotFoundError, UnknownBoundError. */
  async messages(
    accountId: string,
    conversationId: string,
    query: ConversationMessagesQuery,
    request: SliceRequest,
  ): Promise<Slice<ReadableMessage>> {
    await this.existing(accountId, conversationId);
    const earlier = await this.placeOfBound(accountId, conversationId, query.before, beforeMoment);
    const later = await this.placeOfBound(accountId, conversationId, query.after, afterMoment);
    const unknown = [earlier === null && 'before', later === null && 'after'].filter((field) => field !== false);
    if (unknown.length > 0) throw new UnknownBoundError(unknown);
    const cursor = request.cursor === undefined ? undefined : (placeOf(request.cursor) ?? undefined);
    const { messages, next } = await this.archive.newest(
      accountId,
      {
        conversationId,
        direction: query.direction,
        later: later ?? undefined,
        earlier: earlierOf(cursor, earlier ?? undefined),
      },
      request.limit,
    );
    return { items: await this.texts.of(messages), nextCursor: next && cursorOf(next) };
  }

  /** All messages of a conversation in parts, oldest first. */
  async *allMessages(accountId: string, conversationId: string): AsyncGenerator<ReadableMessage[]> {
    let later: Place | undefined;
    for (;;) {
      const { messages, next } = await this.archive.oldest(accountId, { conversationId, later }, EXPORTED_AT_ONCE);
      yield await this.texts.of(messages);
      if (!next) return;
      later = next;
    }
  }

  private async existing(accountId: string, conversationId: string): Promise<Conversation> {
    const conversation = await this.conversations.find(accountId, conversationId);
    if (!conversation) throw new ConversationNotFoundError();
    return conversation;
  }

  private async search(
    accountId: string,
    search: ConversationSearch,
    after: Place | undefined,
    limit: number,
  ): Promise<{ found: Conversation[]; next: Place | null }> {
    if (search.wholeNumber !== null && !after) {
      const exact = await this.conversations.find(accountId, idOf(accountId, search.wholeNumber));
      if (exact) return { found: [exact], next: null };
    }
    const found: PlacedConversation[] = [];
    let last = after;
    for (let searches = 0; searches < MOST_SEARCHES; searches++) {
      const placed = await this.conversations.list(accountId, last, SEARCHED_AT_ONCE);
      const names = await this.conversations.contactNames(
        accountId,
        placed.map(({ conversation }) => conversation),
      );
      found.push(...placed.filter(({ conversation }) => search.matches(conversation, nameOf(conversation, names))));
      if (found.length > limit) return cut(found, limit);
      last = placed.at(-1)?.place;
      if (placed.length < SEARCHED_AT_ONCE || !last) return cut(found, limit);
    }
    return { found: found.map(({ conversation }) => conversation), next: last ?? null };
  }

  private async views(accountId: string, conversations: readonly Conversation[]): Promise<ConversationView[]> {
    if (conversations.length === 0) return [];
    const people = conversations.map(personOf).filter((person) => person !== null);
    const lastMessages = conversations.map(({ lastMessageId }) => lastMessageId);
    const [names, optedOut, readable] = await Promise.all([
      this.conversations.contactNames(accountId, conversations),
      this.optOuts.among(accountId, people),
      this.archive.gists(accountId, lastMessages).then((gists) => this.texts.of(gists)),
    ]);
    const previews = new Map(readable.map((one) => [one.message.id, previewOf(one)]));
    return conversations.map((conversation) => ({
      conversation,
      contactName: nameOf(conversation, names),
      lastText: previews.get(conversation.lastMessageId) ?? null,
      optedOut: optedOut.has(personOf(conversation) ?? ''),
    }));
  }

  /** Undefined where nothing was given, null where it is no message of the conversation. */
  private async placeOfBound(
    accountId: string,
    conversationId: string,
    bound: MessageBound | undefined,
    placeOfMoment: (moment: Date) => Place,
  ): Promise<Place | null | undefined> {
    if (!bound) return undefined;
    if ('moment' in bound) return placeOfMoment(bound.moment);
    const found = await this.archive.find(accountId, bound.messageId);
    return found?.message.conversationId === conversationId ? found.place : null;
  }
}

function personOf({ contactPhone, userId }: Conversation): string | null {
  return contactPhone ?? userId;
}

function nameOf({ id, profileName }: Conversation, contactNames: ReadonlyMap<string, string>): string | null {
  return contactNames.get(id) ?? profileName;
}

/** The first `limit`, and where to go on if there is more. */
function cut(placed: readonly PlacedConversation[], limit: number): { found: Conversation[]; next: Place | null } {
  const kept = placed.slice(0, limit);
  return {
    found: kept.map(({ conversation }) => conversation),
    next: placed.length > limit ? (kept.at(-1)?.place ?? null) : null,
  };
}
