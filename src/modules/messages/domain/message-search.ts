import { Injectable } from '@nestjs/common';
import type { Slice, SliceRequest } from '../../../kernel/page';
import type { PhoneNumber } from '../../../kernel/phone-number';
import { beforeMoment, decodeCursor, earlierOf, encodeCursor } from '../../../kernel/time-cursor';
import { KnownNumbers } from '../../groups/domain/known-numbers';
import { personKey } from '../../groups/domain/opt-out';
import { conversationId } from './conversation-id';
import type { MessageStatus } from './message';
import { MessageArchive, type MessageOrigin } from './message-archive.port';
import { MessageNotFoundError } from './messages.errors';
import { MessageTexts, type ReadableMessage } from './message-texts';
import type { Direction } from './stored-message';

/** Message filters; an absent field matches everything. */
export interface MessageQuery {
  /** Only messages to this person. */
  to?: PhoneNumber;
  /** Only messages to the person with this user id. */
  userId?: string;
  jobId?: string;
  status?: MessageStatus;
  direction?: Direction;
  reference?: string;
  errorCode?: string;
  platformMessageId?: string;
  /** Created at this time or later. */
  createdAfter?: Date;
  /** Created before this time. */
  createdBefore?: Date;
}

/** A message and its origin; null for inbound messages, and if it is not stored. */
export interface MessageDetail extends ReadableMessage {
  origin: MessageOrigin | null;
}

/** Searches the messages of an account in all its conversations. */
@Injectable()
export class MessageSearch {
  constructor(
    private readonly archive: MessageArchive,
    private readonly texts: MessageTexts,
    private readonly numbers: KnownNumbers,
  ) {}

  /** Newest first. One call reads a limited number of messages, so it may return fewer than `limit` before the end. */
  async find(accountId: string, query: MessageQuery, request: SliceRequest): Promise<Slice<ReadableMessage>> {
    const { to, userId, createdAfter, createdBefore, ...rest } = query;
    const person = personKey(await this.numbers.identified(accountId, { phone: to ?? null, userId: userId ?? null }));
    if (person !== null && query.direction === 'Inbound') return { items: [], nextCursor: null };
    const cursor = request.cursor === undefined ? undefined : (decodeCursor(request.cursor) ?? undefined);
    const { messages, next } = await this.archive.newest(
      accountId,
      {
        ...rest,
        ...(person !== null && { conversationId: conversationId(accountId, person), direction: 'Outbound' as const }),
        after: createdAfter && beforeMoment(createdAfter),
        before: earlierOf(cursor, createdBefore && beforeMoment(createdBefore)),
      },
      request.limit,
    );
    return { items: await this.texts.of(messages), nextCursor: next && encodeCursor(next) };
  }

  /** Throws MessageNotFoundError. */
  async get(accountId: string, messageId: string): Promise<MessageDetail> {
    const found = await this.archive.find(accountId, messageId);
    if (!found) throw new MessageNotFoundError();
    const [readable] = await this.texts.of([found.message]);
    const origins = await this.archive.origins([found.message]);
    return { ...readable!, origin: origins.get(found.message.id) ?? null };
  }
}
