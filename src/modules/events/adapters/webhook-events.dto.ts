import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { ContactEventDetail, JobEventDetail, ReceivedEventDetail, TemplateEventDetail } from '../domain/event';

const ID = { format: 'uuid', example: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11' };
const NULLABLE_TEXT = { type: String, nullable: true } as const;
const PHONE = {
  ...NULLABLE_TEXT,
  description: 'Digits only; null if the person hides the number.',
  example: '4915112345678',
};
const USER_ID = {
  ...NULLABLE_TEXT,
  description: "The platform's id of the person, if there is one.",
  example: 'DE.13491208655302741918',
};
const REFERENCE = { ...NULLABLE_TEXT, description: 'Your own reference for the send.', example: 'order-4711' };
const TEMPLATE_NAME = { description: 'Name of the template.', example: 'order_update' };
const LANGUAGE = { description: 'Language of the template.', example: 'en_US' };

/** `data` of `message.sent`, `delivered`, `read`, `undelivered` and `failed`. */
export class MessageEventDetailDto {
  @ApiProperty({ ...ID, description: 'Id of the message: `GET /messages/{messageId}`.' })
  messageId: string;

  @ApiProperty(PHONE)
  phone: string | null;

  @ApiPropertyOptional({ description: "The platform's id of the person, if it is known.", example: USER_ID.example })
  userId?: string;

  @ApiProperty({
    description:
      'The status that the event reports. The message may have a later one: reports can arrive together or out of order.',
    enum: ['Sent', 'Delivered', 'Read', 'Undelivered', 'Failed', 'Cancelled'],
    example: 'Delivered',
  })
  status: string;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'Why it failed; null otherwise.', example: null })
  errorCode: string | null;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'Error message for people.', example: null })
  errorMessage: string | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: "The platform's error number, if it gave one.",
    example: null,
  })
  platformCode: number | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'Id of the message on the platform.',
    example: 'wamid.HBgNNDkxNTExMjM0NTY3OBUCABEYEjQ1RkE5',
  })
  platformMessageId: string | null;

  @ApiProperty(REFERENCE)
  reference: string | null;

  @ApiProperty({ ...ID, type: String, nullable: true, description: 'The job that sent it; null for a single send.' })
  jobId: string | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: "Row in the job's file; null for a single send.",
    example: 17,
  })
  rowNumber: number | null;
}

/** The message of the account that a person replied to. */
export class AnsweredMessageDto {
  @ApiProperty({ ...ID, description: 'Id of the message: `GET /messages/{messageId}`.' })
  messageId: string;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'Your own reference for that message.', example: 'order-4711' })
  reference: string | null;
}

/** `data` of `message.received`. */
export class ReceivedEventDetailDto implements ReceivedEventDetail {
  @ApiProperty({ ...ID, description: 'Id of the message: `GET /messages/{messageId}` returns all of it.' })
  messageId: string;

  @ApiProperty({ ...ID, description: 'Id of the conversation.' })
  conversationId: string;

  @ApiPropertyOptional({ ...ID, description: 'Id of the sender that it came to; present if the account has several.' })
  senderId?: string;

  @ApiProperty(PHONE)
  phone: string | null;

  @ApiProperty(USER_ID)
  userId: string | null;

  @ApiProperty({ description: 'Type of the message, as in the chat history.', example: 'Text' })
  type: string;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'The text, the caption of a file, or the label of the pressed button or chosen row; otherwise null.',
    example: 'When will it arrive?',
  })
  text: string | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description:
      'The payload or id of the pressed button or chosen row; the label of a quick-reply button without a payload. ' +
      'Otherwise null.',
    example: null,
  })
  buttonPayload: string | null;

  @ApiProperty({
    type: AnsweredMessageDto,
    nullable: true,
    description:
      'Your message that the person replied to: quoted, the one with the button, or the one whose id is the token of ' +
      'the answered form. Null if there is none, or if it is unknown or no longer stored.',
  })
  replyTo: AnsweredMessageDto | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description:
      'The answers of a form (flow), as the platform reports them, with the `flow_token` of the send. Null for other ' +
      'messages.',
    example: null,
  })
  flowResponse: Record<string, unknown> | null;
}

/** The reason for the state of a job. */
export class JobEventReasonDto {
  @ApiProperty({ description: 'Stable code, as in the job.', example: 'paused_by_client' })
  code: string;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'Error message for people.', example: 'Paused by the client' })
  message: string | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    format: 'date-time',
    description: 'Expected end; null: unknown.',
    example: null,
  })
  until: string | null;
}

/** `data` of every `job.…`. */
export class JobEventDetailDto implements JobEventDetail {
  @ApiProperty({ ...ID, description: 'Id of the job: `GET /bulk-jobs/{jobId}`.' })
  jobId: string;

  @ApiProperty({
    description: 'Status of the job when the event happened.',
    enum: ['Queued', 'Processing', 'Paused', 'Completed', 'Failed', 'Cancelled'],
    example: 'Completed',
  })
  status: string;

  @ApiProperty({ description: 'Source of the recipients.', enum: ['Import', 'Group'], example: 'Import' })
  kind: string;

  @ApiProperty(TEMPLATE_NAME)
  templateName: string;

  @ApiProperty(LANGUAGE)
  languageCode: string;

  @ApiProperty(REFERENCE)
  reference: string | null;

  @ApiProperty({ description: 'All recipients.', type: 'integer', example: 1000 })
  totalRecipients: number;

  @ApiProperty({ description: 'Accepted by the platform so far.', type: 'integer', example: 990 })
  successfullySent: number;

  @ApiProperty({ description: 'Failed so far.', type: 'integer', example: 10 })
  failed: number;

  @ApiProperty({
    type: JobEventReasonDto,
    nullable: true,
    description: 'Why it is paused, failed, throttled or was cancelled by the service; otherwise null.',
  })
  reason: JobEventReasonDto | null;
}

/** `data` of `template.status_changed`. */
export class TemplateEventDetailDto implements TemplateEventDetail {
  @ApiProperty({ ...ID, description: 'Id of the template: `GET /templates/{templateId}`.' })
  templateId: string;

  @ApiProperty(TEMPLATE_NAME)
  templateName: string;

  @ApiProperty(LANGUAGE)
  languageCode: string;

  @ApiProperty({ description: 'Current status.', example: 'Paused' })
  status: string;

  @ApiProperty({ description: 'Previous status.', example: 'Approved' })
  previousStatus: string;
}

/** `data` of `contact.opted_out` and `contact.opted_in`. */
export class ContactEventDetailDto implements ContactEventDetail {
  @ApiProperty(PHONE)
  phone: string | null;

  @ApiProperty(USER_ID)
  userId: string | null;

  @ApiProperty({
    description: 'Scope of the opt-out or opt-in: all messages, or those of Marketing templates.',
    enum: ['All', 'Marketing'],
    example: 'All',
  })
  scope: string;

  @ApiProperty({
    description: 'Source, as in `GET /opt-outs`.',
    enum: ['Keyword', 'Platform', 'Api'],
    example: 'Keyword',
  })
  source: string;
}
