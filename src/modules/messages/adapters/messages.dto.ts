import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsNotEmpty, IsOptional, IsString, IsUUID, MaxLength } from 'class-validator';
import {
  ErrorCodeFilter,
  PhoneFilter,
  UserIdFilter,
  ReferenceFilter,
  TimeFilter,
} from '../../../infra/http/lists/list-filters.decorators';
import { ActingKeyDto } from '../../../infra/http/access/acting-key.dto';
import { REQUEST_ID, shownOrigin, TRACE_ID } from '../../../infra/http/request-origin';
import { CursorQueryDto } from '../../../infra/http/lists/page.dto';
import {
  type Direction,
  DIRECTIONS,
  MESSAGE_STATUSES,
  shownContent,
  statusHistory,
  type StatusStep,
} from '../domain/stored-message';
import { type Acceptance, ACCEPTANCES, type MessageProblem, type MessageStatus, type Pricing } from '../domain/message';
import { MESSAGE_TYPES, type MessageContent, type MessageType } from '../domain/message-content';
import { SENDER_ID } from '../../accounts/adapters/account-senders.dto';
import type { MessageDetail, MessageQuery } from '../domain/message-search';
import type { ReadableMessage } from '../domain/message-texts';
import { MessageContentDto } from './message-content.dto';
import { IsTimeCursor } from '../../../infra/http/lists/time-cursor.decorator';

const TIME = { type: String, format: 'date-time', example: '2026-01-15T09:30:00.000Z' };
const UUID = '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11';

/** Filters of the message list. */
export class MessagesQueryDto extends CursorQueryDto {
  @IsTimeCursor()
  declare cursor?: string;

  @PhoneFilter('messages to this person')
  to?: string;

  @UserIdFilter('messages to the person with this user id')
  userId?: string;

  @ApiPropertyOptional({ description: 'Only messages of this bulk job.', format: 'uuid', example: UUID })
  @IsOptional()
  @IsUUID()
  jobId?: string;

  @ApiPropertyOptional({ description: 'Only messages with this status.', enum: MESSAGE_STATUSES, example: 'Failed' })
  @IsOptional()
  @IsIn(MESSAGE_STATUSES)
  status?: MessageStatus;

  @ApiPropertyOptional({ description: 'Only messages in this direction.', enum: DIRECTIONS, example: 'Outbound' })
  @IsOptional()
  @IsIn(DIRECTIONS)
  direction?: Direction;

  @ReferenceFilter('messages', 'order-4711')
  reference?: string;

  @ApiPropertyOptional({
    description: 'Only the message with this id of the platform, in either direction.',
    maxLength: 512,
    example: 'wamid.HBgNNDkxNTEyMzQ1Njc4ORUCABEYEjA',
  })
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(512)
  platformMessageId?: string;

  @ErrorCodeFilter('messages with this `error.code`')
  errorCode?: string;

  @TimeFilter('Created at this time or later.')
  createdAfter?: string;

  @TimeFilter('Created before this time.')
  createdBefore?: string;

  @TimeFilter('Older name of `createdAfter`.', { deprecated: true })
  from?: string;

  @TimeFilter('Older name of `createdBefore`.', { deprecated: true })
  until?: string;

  /** The query without `to`, whose number depends on the account. */
  static queryOf(query: MessagesQueryDto): MessageQuery {
    const { userId, jobId, status, direction, reference, errorCode, platformMessageId } = query;
    const { createdAfter = query.from, createdBefore = query.until } = query;
    return {
      ...{ userId, jobId: jobId?.toLowerCase(), status, direction, reference, errorCode, platformMessageId },
      createdAfter: createdAfter === undefined ? undefined : new Date(createdAfter),
      createdBefore: createdBefore === undefined ? undefined : new Date(createdBefore),
    };
  }
}

/** One status of a message. */
export class StatusStepDto {
  @ApiProperty({ description: 'The status.', enum: MESSAGE_STATUSES, example: 'Delivered' })
  status: MessageStatus;

  @ApiProperty({ ...TIME, nullable: true, description: 'When the status was reached; null if not recorded.' })
  at: string | null;

  static of({ status, at }: StatusStep): StatusStepDto {
    return { status, at: at?.toISOString() ?? null };
  }
}

/** Why a message was not delivered. */
export class MessageErrorDto {
  @ApiProperty({ description: 'Stable error code.', example: 'recipient_unreachable' })
  code: string;

  @ApiProperty({ type: 'integer', nullable: true, description: "The platform's own error code.", example: 131026 })
  platformCode: number | null;

  @ApiProperty({ description: 'Error message for people.', example: 'The recipient cannot be reached.' })
  message: string;

  static of({ code, platformCode, message }: MessageProblem): MessageErrorDto {
    return { code, platformCode, message };
  }
}

/** The platform's pricing of a message. */
export class PricingDto implements Pricing {
  @ApiProperty({ description: 'Whether the platform charges for the message.', example: true })
  billable: boolean;

  @ApiProperty({
    description: "The platform's name of the rate, such as `marketing`, `utility`, `authentication`, `service`.",
    example: 'marketing',
  })
  category: string;

  @ApiProperty({
    description: "The platform's name of the pricing type: `regular`, `free_customer_service`, `free_entry_point`.",
    type: String,
    nullable: true,
    example: 'regular',
  })
  type: string | null;
}

/** A message of either direction. */
export class MessageDto {
  @ApiProperty({ description: 'Id of the message.', format: 'uuid', example: UUID })
  id: string;

  @ApiProperty({
    description: 'Id of its conversation.',
    format: 'uuid',
    example: '5f0c2c9e-3b1d-8c54-9a7e-0d6f4b2a1c33',
  })
  conversationId: string;

  @ApiPropertyOptional({
    ...SENDER_ID,
    type: String,
    nullable: true,
    description:
      'The sender that it was sent from or came to; present if the account has several. Null: recorded by an early version.',
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
    description: "The platform's id of the person for your business; null: unknown.",
    type: String,
    nullable: true,
    example: null,
  })
  userId: string | null;

  @ApiProperty({ description: 'Whether the person or the account sent it.', enum: DIRECTIONS, example: 'Outbound' })
  direction: Direction;

  @ApiProperty({
    description:
      '`Unsupported`: the platform does not deliver the content; `Other`: a type that the platform added later.',
    enum: MESSAGE_TYPES,
    example: 'Template',
  })
  type: MessageType;

  @ApiProperty({ description: 'For templates.', type: String, nullable: true, example: 'order_update' })
  templateName: string | null;

  @ApiProperty({ description: 'For templates.', type: String, nullable: true, example: 'en_US' })
  languageCode: string | null;

  @ApiProperty({
    description: 'For templates: the placeholder values, in order.',
    type: [String],
    nullable: true,
    example: ['Anna', '4711'],
  })
  parameters: string[] | null;

  @ApiProperty({
    description:
      'Text the person sees: the template at the time of sending with its values, or the text of another message. ' +
      'Null if there is none.',
    type: String,
    nullable: true,
    example: 'Hello Anna, your order 4711 is on its way.',
  })
  renderedText: string | null;

  @ApiProperty({
    type: MessageContentDto,
    nullable: true,
    description: 'The content; for templates only the header media. Fields that do not apply are omitted.',
  })
  content: MessageContent | null;

  @ApiProperty({ description: 'Its current status.', enum: MESSAGE_STATUSES, example: 'Delivered' })
  status: MessageStatus;

  @ApiProperty({ description: 'Its statuses so far, oldest first.', type: [StatusStepDto] })
  statusHistory: StatusStepDto[];

  @ApiProperty({ type: MessageErrorDto, nullable: true, description: 'Why the message did not arrive.', example: null })
  error: MessageErrorDto | null;

  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'Its bulk job.',
    example: null,
  })
  jobId: string | null;

  @ApiProperty({ type: 'integer', nullable: true, description: "Row in the job's file.", example: null })
  rowNumber: number | null;

  @ApiProperty({ description: 'Your own reference.', type: String, nullable: true, example: 'order-4711' })
  reference: string | null;

  @ApiProperty({
    description: "The platform's id of the message; null until the platform has accepted it.",
    type: String,
    nullable: true,
    example: 'wamid.HBgNNDkxNTEyMzQ1Njc4ORUCABEYEjA',
  })
  platformMessageId: string | null;

  @ApiProperty({
    description:
      'For a message that the platform accepted but holds back: `HeldForQualityAssessment` while it assesses the ' +
      "template's quality, `Paused` if the template is paused. The message stays `Sent` until a status reports `Delivered`, or `Undelivered` with `template_paused`.",
    enum: ACCEPTANCES,
    type: String,
    nullable: true,
    example: null,
  })
  acceptance: Acceptance | null;

  @ApiProperty({
    type: PricingDto,
    nullable: true,
    description: "The platform's pricing information; null until delivery, or if the platform gives none.",
  })
  pricing: Pricing | null;

  @ApiProperty({
    ...TIME,
    description: "When it was queued or sent; for an inbound message, the platform's timestamp.",
  })
  createdAt: string;

  /** With the sender only if `showsSender`. */
  static from({ message, text }: ReadableMessage, showsSender: boolean): MessageDto {
    return {
      id: message.id,
      conversationId: message.conversationId,
      ...(showsSender && { senderId: message.senderId }),
      contactPhone: message.contactPhone,
      userId: message.userId,
      direction: message.direction,
      type: message.type,
      templateName: message.templateName,
      languageCode: message.languageCode,
      parameters: message.parameters,
      renderedText: text,
      content: shownContent(message),
      status: message.status,
      statusHistory: statusHistory(message).map((step) => StatusStepDto.of(step)),
      error: message.problem && MessageErrorDto.of(message.problem),
      jobId: message.jobId,
      rowNumber: message.rowNumber,
      reference: message.reference,
      platformMessageId: message.platformMessageId,
      acceptance: message.acceptance,
      pricing: message.pricing,
      createdAt: message.createdAt.toISOString(),
    };
  }
}

/** A message with the key and the request that sent it. */
export class MessageDetailDto extends MessageDto {
  @ApiProperty({
    type: ActingKeyDto,
    nullable: true,
    description:
      'The key that sent it; of a message of a job, the key that created the job. Null for inbound messages and for those of versions that did not record it.',
  })
  sentBy: ActingKeyDto | null;

  @ApiPropertyOptional(REQUEST_ID)
  requestId?: string;

  @ApiPropertyOptional(TRACE_ID)
  traceId?: string;

  static override from(detail: MessageDetail, showsSender: boolean): MessageDetailDto {
    const { origin } = detail;
    return {
      ...MessageDto.from(detail, showsSender),
      sentBy: origin?.sentBy ?? null,
      ...(origin && shownOrigin(origin)),
    };
  }
}

/** A message in the list of its conversation. */
export class ConversationMessageDto extends MessageDto {
  @ApiPropertyOptional({
    type: ActingKeyDto,
    description:
      'The key that sent it; of a message of a job, the key that created the job. Absent for inbound messages and if it was not recorded.',
  })
  sentBy?: ActingKeyDto;

  static override from(detail: MessageDetail, showsSender: boolean): ConversationMessageDto {
    const sentBy = detail.origin?.sentBy;
    return { ...MessageDto.from(detail, showsSender), ...(sentBy && { sentBy }) };
  }
}
