import { Injectable } from '@nestjs/common';
import type { Slice, SliceRequest } from '../../../kernel/page';
import {
  afterMoment,
  beforeMoment,
  decodeCursor,
  earlierOf,
  encodeCursor,
  type TimeCursor,
} from '../../../kernel/time-cursor';
import type { MessageStatus } from './message';
import { MessageArchive } from './message-archive.port';
import { MessageTexts, previewOf, type ReadableMessage } from './message-texts';
import type { MessageDetail } from './message-search';
import { UnknownBoundError } from './messages.errors';
import type { Direction, ErasedMessages, MessageRange, PositionedMessage, StoredMessage } from './stored-message';

const READ_BATCH = 500;

/** A message in a list of conversations. */
export interface PreviewedMessage {
  text: string;
  status: MessageStatus;
}

/** A position in a conversation: that of a message, or a time. */
export type MessageBound = { messageId: string } | { moment: Date };

/** Filters: messages older than `before`, newer than `after`. */
export interface ConversationMessagesQuery {
  before?: MessageBound;
  after?: MessageBound;
  direction?: Direction;
}

/** Reads and erases the messages of a conversation; an unknown one has none. */
@Injectable()
export class ConversationMessages {
  constructor(
    private readonly archive: MessageArchive,
    private readonly texts: MessageTexts,
  ) {}

  /** Newest first; throws UnknownBoundError. */
  async list(
    accountId: string,
    conversationId: string,
    { before, after, direction }: ConversationMessagesQuery,
    { cursor, limit }: SliceRequest,
  ): Promise<Slice<MessageDetail>> {
    const first = await this.positionOf(accountId, conversationId, after, afterMoment);
    const last = await this.positionOf(accountId, conversationId, before, beforeMoment);
    const unknown = [last === null && 'before', first === null && 'after'].filter((field) => field !== false);
    if (unknown.length > 0) throw new UnknownBoundError(unknown);
    const from = cursor === undefined ? undefined : (decodeCursor(cursor) ?? undefined);
    const { messages, next } = await this.archive.newest(
      accountId,
      { conversationId, direction, after: first ?? undefined, before: earlierOf(from, last ?? undefined) },
      limit,
    );
    const [readable, origins] = await Promise.all([this.texts.of(messages), this.archive.origins(messages)]);
    return {
      items: readable.map((one) => ({ ...one, origin: origins.get(one.message.id) ?? null })),
      nextCursor: next && encodeCursor(next),
    };
  }

  /** See MessageArchive.erase. */
  erase(accountId: string, conversationId: string, createdBefore: Date | null, limit: number): Promise<ErasedMessages> {
    return this.archive.erase(accountId, conversationId, createdBefore, limit);
  }

  /** Locks up to `limit` messages of a conversation in id order; returns their ids. Joins the unit of work. */
  lock(accountId: string, conversationId: string, limit: number): Promise<string[]> {
    return this.archive.lock(accountId, conversationId, limit);
  }

  /** Moves locked messages into another conversation of their account. Joins the unit of work. */
  async move(messageIds: readonly string[], conversationId: string): Promise<void> {
    if (messageIds.length > 0) await this.archive.move(messageIds, conversationId);
  }

  /**
   * All messages that the conversation has at the start, in batches, oldest first; messages deleted meanwhile may be
   * missing.
   */
  async *all(accountId: string, conversationId: string): AsyncGenerator<ReadableMessage[]> {
    // Not by position: a concurrent join may move messages out of this conversation or behind the position.
    const ids = await this.archive.idsOf(conversationId);
    let read = 0;
    do {
      yield await this.texts.of(await this.archive.inOrder(accountId, ids.slice(read, read + READ_BATCH)));
      read += READ_BATCH;
    } while (read < ids.length);
  }

  /** The message with its position; null if the conversation has none with this id. */
  async find(accountId: string, conversationId: string, messageId: string): Promise<PositionedMessage | null> {
    const found = await this.archive.find(accountId, messageId);
    return found?.message.conversationId === conversationId ? found : null;
  }

  /** The first inbound messages after a position, oldest first. */
  inboundAfter(accountId: string, conversationId: string, after: TimeCursor, limit: number): Promise<MessageRange> {
    return this.archive.oldest(accountId, { conversationId, direction: 'Inbound', after }, limit);
  }

  /** The latest inbound messages after one position and before another, newest first. */
  async latestInbound(
    accountId: string,
    conversationId: string,
    range: { after: TimeCursor; before?: TimeCursor },
    limit: number,
  ): Promise<StoredMessage[]> {
    const filter = { conversationId, direction: 'Inbound', ...range } as const;
    return (await this.archive.newest(accountId, filter, limit)).messages;
  }

  /** One-line previews of the messages that exist, and their statuses, by id. */
  async previews(accountId: string, messageIds: readonly string[]): Promise<Map<string, PreviewedMessage>> {
    const readable = await this.texts.of(await this.archive.previews(accountId, messageIds));
    return new Map(readable.map((one) => [one.message.id, { text: previewOf(one), status: one.message.status }]));
  }

  /** Records when the platform accepted the read receipt of an inbound message. */
  setReadReceipt(messageId: string, at: Date): Promise<void> {
    return this.archive.setReadReceipt(messageId, at);
  }

  /** Undefined without a bound; null if the bound is not a message of the conversation. */
  private async positionOf(
    accountId: string,
    conversationId: string,
    bound: MessageBound | undefined,
    positionOfMoment: (moment: Date) => TimeCursor,
  ): Promise<TimeCursor | null | undefined> {
    if (!bound) return undefined;
    if ('moment' in bound) return positionOfMoment(bound.moment);
    return (await this.find(accountId, conversationId, bound.messageId))?.position ?? null;
  }
}
