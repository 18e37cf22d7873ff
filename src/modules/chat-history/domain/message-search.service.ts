import { Injectable } from '@nestjs/common';
import type { Slice, SliceRequest } from '../../../kernel/page';
import type { PhoneNumber } from '../../../kernel/phone-number';
import { MessageNotFoundError } from './chat-history.errors';
import { conversationId } from './conversation';
import type { MessageStatus } from './message';
import { MessageArchive } from './message-archive.port';
import { MessageTexts, type ReadableMessage } from './message-texts.service';
import { beforeMoment, cursorOf, earlierOf, placeOf } from './place';

/** Which messages are looked for; what is absent does not matter. */
export interface MessageQuery {
  /** Those to this person, by any form of the number. */
  to?: PhoneNumber;
  jobId?: string;
  status?: MessageStatus;
  reference?: string;
  /** Created at this time or later. */
  from?: Date;
  /** Created before this time. */
  until?: Date;
}

/** Finds messages of the account over all its conversations. */
@Injectable()
export class MessageSearch {
  constructor(
    private readonly archive: MessageArchive,
    private readonly texts: MessageTexts,
  ) {}

  /**
   * Newest first. One call looks through a limited number of messages, so a stretch may hold fewer than asked for although
   * the list goes on.
   */
  async find(accountId: string, query: MessageQuery, request: SliceRequest): Promise<Slice<ReadableMessage>> {
    const { to, from, until, ...rest } = query;
    const cursor = request.cursor === undefined ? undefined : (placeOf(request.cursor) ?? undefined);
    const { messages, next } = await this.archive.newest(
      accountId,
      {
        ...rest,
        ...(to === undefined ? {} : { conversationId: conversationId(accountId, to), direction: 'Outbound' }),
        later: from && beforeMoment(from),
        earlier: earlierOf(cursor, until && beforeMoment(until)),
      },
      request.limit,
    );
    return { items: await this.texts.of(messages), nextCursor: next && cursorOf(next) };
  }

  /** Throws MessageNotFoundError. */
  async get(accountId: string, messageId: string): Promise<ReadableMessage> {
    const found = await this.archive.find(accountId, messageId);
    if (!found) throw new MessageNotFoundError();
    const [readable] = await this.texts.of([found.message]);
    return readable!;
  }
}
