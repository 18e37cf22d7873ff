import { Injectable } from '@nestjs/common';
import type { ActingKey } from '../../../kernel/acting-key';
import type { Slice, SliceRequest } from '../../../kernel/page';
import type { PhoneNumber } from '../../../kernel/phone-number';
import { beforeMoment, decodeCursor, earlierOf, encodeCursor } from '../../../kernel/time-cursor';
import { conversationId } from './conversation-id';
import type { MessageStatus } from './message';
import { MessageArchive } from './message-archive.port';
import { MessageNotFoundError } from './messages.errors';
import { MessageTexts, type ReadableMessage } from './message-texts.service';

/** Which messages are searched; an absent field matches everything. */
export interface MessageQuery {
  /** Only messages to this person, in any form of the number. */
  to?: PhoneNumber;
  jobId?: string;
  status?: MessageStatus;
  reference?: string;
  errorCode?: string;
  /** Created at this time or later. */
  createdAfter?: Date;
  /** Created before this time. */
  createdBefore?: Date;
}

/** A message and the API key with which it was sent, or its job created; null where that is not known. */
export interface MessageDetail extends ReadableMessage {
  sentBy: ActingKey | null;
}

/** Searches the messages of an account in all its conversations. */
@Injectable()
export class MessageSearch {
  constructor(
    private readonly archive: MessageArchive,
    private readonly texts: MessageTexts,
  ) {}

  /**
   * Newest first. One call reads a limited number of messages, so it may return fewer than asked for although the list
   * continues.
   */
  async find(accountId: string, query: MessageQuery, request: SliceRequest): Promise<Slice<ReadableMessage>> {
    const { to, createdAfter, createdBefore, ...rest } = query;
    const cursor = request.cursor === undefined ? undefined : (decodeCursor(request.cursor) ?? undefined);
    const { messages, next } = await this.archive.newest(
      accountId,
      {
        ...rest,
        ...(to === undefined ? {} : { conversationId: conversationId(accountId, to), direction: 'Outbound' }),
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
    return { ...readable!, sentBy: await this.archive.sentBy(found.message) };
  }
}
