import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsNotEmpty, IsOptional, IsString, IsUUID, MaxLength } from 'class-validator';
import { MayBeAbsent } from '../../../infra/http/validation/may-be-absent.decorator';
import { CursorQueryDto } from '../../../infra/http/lists/page.dto';
import { isUuid } from '../../../kernel/uuid';
import { SENDER_ID } from '../../accounts/adapters/account-senders.dto';
import type { ConversationMessagesQuery, MessageBound } from '../../messages/domain/conversation-messages';
import { type ChosenState, CONVERSATION_STATES, type ConversationState } from '../domain/conversation';
import { CONVERSATION_ORDERS, type ConversationOrder } from '../domain/conversation-store.port';
import type { ConversationView } from '../domain/conversations.service';
import type { MessageStatus } from '../../messages/domain/message';
import { type Direction, DIRECTIONS, MESSAGE_STATUSES } from '../../messages/domain/stored-message';
import type { ReadMark, ReceiptState } from '../domain/read-marks';
import { IsTimeCursor } from '../../../infra/http/lists/time-cursor.decorator';
import { IsMessageBound, NeedsAwaitingReply } from './conversations.decorators';

const TIME = { type: String, format: 'date-time', example: '2026-01-15T09:30:00.000Z' };
const MESSAGE_ID = '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11';
const CONVERSATION_ID = '5f0c2c9e-3b1d-8c54-9a7e-0d6f4b2a1c33';
const SEARCH_LENGTH = 128;
const CHOSEN_STATES = ['Open', 'Done'] as const satisfies readonly ChosenState[];
const RECEIPT_STATES = ['Sent', 'NotSent', 'None'] as const satisfies readonly ReceiptState[];

/** The statuses of messages that did not reach the person. */
const FAILURES = ['Failed', 'Undelivered'] as const satisfies readonly MessageStatus[];

/** The formats of an export. */
export const EXPORT_FORMATS = ['json', 'csv'] as const;
/** See EXPORT_FORMATS. */
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Filters of the conversation list. */
export class ConversationsQueryDto extends CursorQueryDto {
  @IsTimeCursor()
  declare cursor?: string;

  @ApiPropertyOptional({
    description:
      'Only people whose names contain the words of this text, ignoring order, case, accents and the spelling of umlauts, or whose number begins with these ' +
      'digits; a full number or a user id finds exactly its conversation. A number that begins with 0 is one of the ' +
      'defaultCountry of the account; without one, of any country. At least 4 digits also find the numbers of people who wrote ' +
      'that end with them: up to half a page of these, at most 50, come first on the first page.',
    maxLength: SEARCH_LENGTH,
    example: 'schmidt',
  })
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value))
  @IsString()
  @IsNotEmpty()
  @MaxLength(SEARCH_LENGTH)
  search?: string;

  @ApiPropertyOptional({
    description: '`true`: only conversations with unread messages.',
    enum: ['true', 'false'],
    example: 'true',
  })
  @IsOptional()
  @IsIn(['true', 'false'])
  unread?: 'true' | 'false';

  @ApiPropertyOptional({
    description:
      "`true`: only open conversations in which the person's latest message, other than an opt-out or opt-in keyword, is newer " +
      'than the latest reply that did not fail. Campaigns and other templates are not replies, unless sent with `reply`; ' +
      'neither are reactions. Not those whose person has opted out of all messages since.',
    enum: ['true', 'false'],
    example: 'true',
  })
  @IsOptional()
  @IsIn(['true', 'false'])
  awaitingReply?: 'true' | 'false';

  @ApiPropertyOptional({
    description: 'Only conversations in this state, with people who wrote.',
    enum: CONVERSATION_STATES,
    example: 'Open',
  })
  @IsOptional()
  @IsIn(CONVERSATION_STATES)
  state?: ConversationState;

  @ApiPropertyOptional({
    description:
      'Latest message first, or, only with `awaitingReply=true`, the person who has waited longest for a reply. Send the same order with a ' +
      '`cursor`.',
    enum: CONVERSATION_ORDERS,
    default: 'newest',
    example: 'longestWaiting',
  })
  @IsOptional()
  @IsIn(CONVERSATION_ORDERS)
  @NeedsAwaitingReply()
  order?: ConversationOrder;

  @ApiPropertyOptional({
    description: '`true`: also `lastStatus` of each conversation.',
    enum: ['true', 'false'],
    example: 'true',
  })
  @IsOptional()
  @IsIn(['true', 'false'])
  lastStatus?: 'true' | 'false';

  @ApiPropertyOptional({
    description:
      '`true`: also `unreadConversations`, how many open conversations of the account have unread messages, whatever the filters.',
    enum: ['true', 'false'],
    example: 'true',
  })
  @IsOptional()
  @IsIn(['true', 'false'])
  unreadConversations?: 'true' | 'false';
}

/** Changes of a conversation. */
export class ChangeConversationDto {
  @ApiProperty({
    description: '`Done`: nothing is left to do; the next message from the person opens the conversation again.',
    enum: CHOSEN_STATES,
    example: 'Done',
  })
  @IsIn(CHOSEN_STATES)
  state: ChosenState;
}

/** Filters of a conversation's message list. */
export class ConversationMessagesQueryDto extends CursorQueryDto {
  @IsTimeCursor()
  declare cursor?: string;

  @ApiPropertyOptional({
    description: 'Only older messages: the id of a message of the conversation, or an ISO 8601 time.',
    example: MESSAGE_ID,
  })
  @IsOptional()
  @IsMessageBound()
  before?: string;

  @ApiPropertyOptional({
    description: 'Only newer messages: the id of a message of the conversation, or an ISO 8601 time.',
    example: '2026-01-15T09:30:00Z',
  })
  @IsOptional()
  @IsMessageBound()
  after?: string;

  @ApiPropertyOptional({ description: 'Only messages in this direction.', enum: DIRECTIONS, example: 'Inbound' })
  @IsOptional()
  @IsIn(DIRECTIONS)
  direction?: Direction;

  static queryOf({ before, after, direction }: ConversationMessagesQueryDto): ConversationMessagesQuery {
    return {
      before: before === undefined ? undefined : boundOf(before),
      after: after === undefined ? undefined : boundOf(after),
      direction,
    };
  }
}

/** The format of an export. */
export class ConversationExportQueryDto {
  @ApiPropertyOptional({
    description:
      'File format. In CSV, cells that a spreadsheet would evaluate as a formula are prefixed with an apostrophe.',
    enum: EXPORT_FORMATS,
    default: 'json',
    example: 'csv',
  })
  @IsOptional()
  @IsIn(EXPORT_FORMATS)
  format: ExportFormat = 'json';
}

/** The last message that was read. */
export class MarkReadDto {
  @ApiPropertyOptional({
    description: 'The last message seen; absent: all messages.',
    format: 'uuid',
    example: MESSAGE_ID,
  })
  @MayBeAbsent()
  @IsUUID()
  messageId?: string;

  @ApiPropertyOptional({
    description: 'Also show a typing indicator to the person, until the reply is sent or for 25 seconds.',
    example: true,
  })
  @MayBeAbsent()
  @IsBoolean()
  typing?: boolean;
}

/** A conversation in the list. */
export class ConversationDto {
  @ApiProperty({ description: 'Id of the conversation.', format: 'uuid', example: CONVERSATION_ID })
  id: string;

  @ApiPropertyOptional({
    ...SENDER_ID,
    type: String,
    nullable: true,
    description:
      'The sender that the person wrote to last, from which replies are sent; present if the account has several. Null: the oldest sender.',
  })
  senderId?: string | null;

  @ApiProperty({
    description: 'Number of the person, digits only; null if hidden.',
    type: String,
    nullable: true,
    example: '4915123456789',
  })
  contactPhone: string | null;

  @ApiProperty({
    description: "Name of your contact, or else the person's name on the platform.",
    type: String,
    nullable: true,
    example: 'Anna Schmidt',
  })
  contactName: string | null;

  @ApiProperty({
    description: "The person's public username on the platform, as of their latest message; null: unknown.",
    type: String,
    nullable: true,
    example: '@anna.schmidt',
  })
  username: string | null;

  @ApiProperty({
    description: "The platform's id of the person for your business; null: unknown.",
    type: String,
    nullable: true,
    example: null,
  })
  userId: string | null;

  @ApiProperty({ ...TIME, description: 'Time of the latest message.' })
  lastMessageAt: string;

  @ApiProperty({ description: 'Direction of the latest message.', enum: DIRECTIONS, example: 'Inbound' })
  lastDirection: Direction;

  @ApiProperty({
    description:
      'Preview of the latest message, at most 1024 characters: its text, or its type such as `Image`. Null once the ' +
      'message has expired.',
    type: String,
    nullable: true,
    example: 'Where is my order?',
  })
  lastText: string | null;

  @ApiPropertyOptional({
    description: 'The status of the latest message if it did not reach the person; otherwise absent.',
    enum: FAILURES,
    example: 'Undelivered',
  })
  lastFailure?: (typeof FAILURES)[number];

  @ApiPropertyOptional({
    description:
      'The status of the latest message if you sent it and it is still stored; otherwise absent. Only in lists with `lastStatus=true`.',
    enum: MESSAGE_STATUSES,
    example: 'Queued',
  })
  lastStatus?: MessageStatus;

  @ApiPropertyOptional({
    description:
      'Preview of the latest unread message from the person, which `lastText` is not after a message to them; absent if ' +
      'everything is read.',
    example: 'Where is my order?',
  })
  unreadText?: string;

  @ApiPropertyOptional({
    description:
      'What is left to do; absent if the person has never written. A message from the person sets `Open`; one that is only ' +
      'an opt-out or opt-in keyword sets `Keyword`, unless the conversation is open.',
    enum: CONVERSATION_STATES,
    example: 'Open',
  })
  state?: ConversationState;

  @ApiProperty({ type: 'integer', description: 'Unread messages from the person.', example: 1 })
  unreadCount: number;

  @ApiProperty({
    ...TIME,
    nullable: true,
    example: '2026-01-16T09:30:00.000Z',
    description: 'Until when free text may be sent to the person; null if they have never written.',
  })
  windowExpiresAt: string | null;

  @ApiPropertyOptional({
    ...TIME,
    description: "Time of the person's first message since the latest reply; only in lists with `awaitingReply=true`.",
  })
  waitingSince?: string;

  @ApiProperty({ description: 'Whether the person has opted out.', example: false })
  optedOut: boolean;

  @ApiPropertyOptional({
    ...TIME,
    description: 'When the person last opted out of all messages; absent if they have not. Only with `optOut=true`.',
  })
  optedOutAt?: string;

  @ApiPropertyOptional({
    description:
      'Whether the person has written since they opted out, more than a keyword, so that a reply with `despiteOptOut` may answer them. Only ' +
      'with `optedOutAt`.',
    example: true,
  })
  wroteSinceOptOut?: boolean;

  /** With what its list was asked for. */
  static listed(
    view: ConversationView,
    showsSender: boolean,
    { lastStatus, awaitingReply }: Pick<ConversationsQueryDto, 'lastStatus' | 'awaitingReply'>,
  ): ConversationDto {
    const since = view.conversation.waitingSince;
    return {
      ...ConversationDto.from(view, showsSender),
      ...(lastStatus === 'true' && view.lastStatus !== null && { lastStatus: view.lastStatus }),
      ...(awaitingReply === 'true' && since !== null && { waitingSince: since.toISOString() }),
    };
  }

  /** With the sender only if `showsSender`. */
  static from(
    { conversation, contactName, username, lastText, lastStatus, unreadText, optedOut }: ConversationView,
    showsSender: boolean,
  ): ConversationDto {
    const lastFailure = FAILURES.find((status) => status === lastStatus);
    return {
      id: conversation.id,
      ...(showsSender && { senderId: conversation.senderId }),
      contactPhone: conversation.contactPhone,
      contactName,
      username,
      userId: conversation.userId,
      lastMessageAt: conversation.lastMessageAt.toISOString(),
      lastDirection: conversation.lastDirection,
      lastText,
      ...(lastFailure && { lastFailure }),
      ...(unreadText !== null && { unreadText }),
      ...(conversation.state !== null && { state: conversation.state }),
      unreadCount: conversation.unreadCount,
      windowExpiresAt: conversation.windowExpiresAt?.toISOString() ?? null,
      optedOut,
    };
  }
}

/** The remaining unread count. */
export class ReadMarkDto {
  @ApiProperty({ description: 'Id of the conversation.', format: 'uuid', example: CONVERSATION_ID })
  conversationId: string;

  @ApiProperty({
    type: 'integer',
    description: 'Unread messages: those after the last message seen.',
    example: 0,
  })
  unreadCount: number;

  @ApiProperty({
    description:
      'Whether the platform accepted a read receipt: `None`: none was due, because the latest message already has one ' +
      'or is older than 30 days; `NotSent`: the platform did not accept it; repeat the request to retry.',
    enum: RECEIPT_STATES,
    example: 'Sent',
  })
  readReceipt: ReceiptState;

  static from({ conversationId, unreadCount, readReceipt }: ReadMark): ReadMarkDto {
    return { conversationId, unreadCount, readReceipt };
  }
}

function boundOf(text: string): MessageBound {
  return isUuid(text) ? { messageId: text.toLowerCase() } : { moment: new Date(text) };
}
