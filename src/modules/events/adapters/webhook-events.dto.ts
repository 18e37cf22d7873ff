import { ApiProperty } from '@nestjs/swagger';
import type { ContactEventDetail, ReceivedEventDetail, TemplateEventDetail } from '../domain/event';

const ID = { format: 'uuid', example: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11' };
const NULLABLE_TEXT = { type: String, nullable: true } as const;
const PHONE = {
  ...NULLABLE_TEXT,
  description: 'Digits; null for a person who hides the number.',
  example: '4915112345678',
};
const USER_ID = {
  ...NULLABLE_TEXT,
  description: 'The user id on the platform of a person who has one.',
  example: 'DE.13491208655302741918',
};
const REFERENCE = { ...NULLABLE_TEXT, description: 'Your own reference of the send.', example: 'order-4711' };
const TEMPLATE_NAME = { description: 'Name of the template.', example: 'order_update' };
const LANGUAGE = { description: 'Language of the template.', example: 'en_US' };

/** `data` of `message.sent`, `delivered`, `read`, `undelivered` and `failed`. */
export class MessageEventDetailDto {
  @ApiProperty({ ...ID, description: 'Id of the message: `GET /messages/{messageId}`.' })
  messageId: string;

  @ApiProperty(PHONE)
  phone: string | null;

  @ApiProperty({
    description: 'Status of the message now: `Read` also where the platform reports afterwards that it was delivered.',
    enum: ['Sent', 'Delivered', 'Read', 'Undelivered', 'Failed', 'Cancelled'],
    example: 'Delivered',
  })
  status: string;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'Why it failed; null if it did not.', example: null })
  errorCode: string | null;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'The same for people.', example: null })
  errorMessage: string | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: "The platform's own number of the error, where it gave one.",
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
    description: 'Its row in the file of the job; null for a single send.',
    example: 17,
  })
  rowNumber: number | null;
}

/** `data` of `message.received`. */
export class ReceivedEventDetailDto implements ReceivedEventDetail {
  @ApiProperty({ ...ID, description: 'Id of the message: `GET /messages/{messageId}` has all of it.' })
  messageId: string;

  @ApiProperty({ ...ID, description: 'Id of the conversation.' })
  conversationId: string;

  @ApiProperty(PHONE)
  phone: string | null;

  @ApiProperty(USER_ID)
  userId: string | null;

  @ApiProperty({ description: 'Type of the message, as in the chat history.', example: 'Text' })
  type: string;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description:
      'What the person wrote: the text, the caption of a file, or the label of the pressed button or chosen row; else null.',
    example: 'When will it arrive?',
  })
  text: string | null;
}

/** Why a job is in the state that it is in. */
export class JobEventReasonDto {
  @ApiProperty({ description: 'Stable code, as in the detail of the job.', example: 'paused_by_client' })
  code: string;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'The same for people.', example: 'Paused by the client' })
  message: string | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    format: 'date-time',
    description: 'Until when it is expected to last; null if that is not known.',
    example: null,
  })
  until: string | null;
}

/** `data` of every `job.…`. */
export class JobEventDetailDto {
  @ApiProperty({ ...ID, description: 'Id of the job: `GET /bulk-jobs/{jobId}`.' })
  jobId: string;

  @ApiProperty({
    description: 'Status of the job when the event happened.',
    enum: ['Queued', 'Processing', 'Paused', 'Completed', 'Failed', 'Cancelled'],
    example: 'Completed',
  })
  status: string;

  @ApiProperty({ description: 'Where the recipients are from.', enum: ['Import', 'Group'], example: 'Import' })
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
    description: 'Why it is paused, failed, throttled or was cancelled by the service; else null.',
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

  @ApiProperty({ description: 'Its status now.', example: 'Paused' })
  status: string;

  @ApiProperty({ description: 'Its status before.', example: 'Approved' })
  previousStatus: string;
}

/** `data` of `contact.opted_out` and `contact.opted_in`. */
export class ContactEventDetailDto implements ContactEventDetail {
  @ApiProperty(PHONE)
  phone: string | null;

  @ApiProperty(USER_ID)
  userId: string | null;

  @ApiProperty({
    description: 'What the person does not want, or wants again: all messages, or those of Marketing templates.',
    enum: ['All', 'Marketing'],
    example: 'All',
  })
  scope: string;

  @ApiProperty({
    description: 'How it was said, as in `GET /opt-outs`.',
    enum: ['Keyword', 'Platform', 'Api'],
    example: 'Keyword',
  })
  source: string;
}
