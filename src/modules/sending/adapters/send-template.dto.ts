import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsObject,
  IsOptional,
  IsString,
  MaxLength,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import {
  IsLanguageCode,
  IsReference,
  IsTemplateName,
  IsValidForSeconds,
  MAX_VALID_SECONDS,
} from './message-fields.dto';
import { UserIdInsteadOf } from '../../../infra/http/validation/person-fields.decorators';
import { IsRecipientPhone } from '../../../infra/http/validation/recipient-phone.validator';
import { extrasOf } from '../../templates/domain/template-extras';
import { PARAMETER_FORM, TemplateExtrasDto } from '../../templates/adapters/template-extras.dto';
import { SenderIdField } from '../../accounts/adapters/account-senders.dto';
import type { TemplateMessage } from '../../messages/domain/message';

const DEFAULT_LANGUAGE = 'en_US';

/** The value of one placeholder. */
export class TemplateParameterDto {
  @ApiProperty({ description: 'Text that replaces the placeholder.', example: 'Mira', maxLength: 1024 })
  @IsString()
  @MaxLength(1024)
  text: string;
}

/** Section 2.1 of the specification, and optional fields. */
export class SendTemplateDto extends TemplateExtrasDto {
  @ApiPropertyOptional({
    description:
      "Recipient phone number in international format, digits only. Required unless `userId` is given. It is normalized to the person's canonical number, which is used for sending and returned: `49015…` becomes `4915…`.",
    type: String,
    nullable: true,
    example: '4915112345678',
  })
  @ValidateIf(({ userId }: SendTemplateDto, to: unknown) => (userId ?? null) === null || (to ?? null) !== null)
  @IsRecipientPhone()
  to?: string | null;

  @UserIdInsteadOf('to')
  userId?: string | null;

  @ApiProperty({ description: 'Exact name of the approved template.', example: 'order_update', maxLength: 512 })
  @IsTemplateName()
  templateName: string;

  @ApiPropertyOptional({ description: 'Language of the template.', example: 'en_US', default: 'en_US', maxLength: 20 })
  @IsOptional()
  @IsLanguageCode()
  languageCode?: string;

  @ApiPropertyOptional({
    description: 'Placeholder values in order: text header, {{1}}, {{2}} … of the body, buttons.',
    type: [TemplateParameterDto],
    example: [{ text: 'Mira' }, { text: 'PK-7731' }],
  })
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(200)
  @IsObject({ each: true })
  @ValidateNested({ each: true, message: PARAMETER_FORM })
  @Type(() => TemplateParameterDto)
  templateParameters?: TemplateParameterDto[];

  @ApiPropertyOptional({ description: 'Your own reference for this message.', example: 'order-4711', maxLength: 255 })
  @IsOptional()
  @IsReference()
  reference?: string;

  @ApiPropertyOptional({
    description:
      'Seconds after which a waiting message is no longer sent. Default: 600 for authentication templates, else 86,400.',
    example: 3600,
    minimum: 1,
    maximum: MAX_VALID_SECONDS,
  })
  @IsOptional()
  @IsValidForSeconds()
  validForSeconds?: number;

  @ApiPropertyOptional({
    description:
      'Whether the template replies to what the person wrote: their conversation then no longer awaits a reply, unless ' +
      'the message fails.',
    example: false,
    default: false,
  })
  @IsOptional()
  @IsBoolean()
  reply?: boolean;

  @SenderIdField('The sender of the message; absent: the default sender of the account.')
  senderId?: string;
}

/** Valid bodies. */
export const SEND_TEMPLATE_EXAMPLES = {
  values: {
    summary: 'A template with two values',
    value: {
      to: '4915112345678',
      templateName: 'order_update',
      languageCode: 'en_US',
      templateParameters: [{ text: 'Mira' }, { text: 'PK-7731' }],
      reference: 'order-4711',
    },
  },
  media: {
    summary: 'A template with a media header',
    value: {
      to: '4915112345678',
      templateName: 'summer_sale',
      templateParameters: [{ text: 'Mira' }],
      headerMediaUrl: 'https://files.example.com/summer.png',
    },
  },
  document: {
    summary: 'A template with a document header',
    value: {
      to: '4915112345678',
      templateName: 'invoice_ready',
      templateParameters: [{ text: 'Mira' }, { text: 'INV-7731' }],
      headerMediaId: '900000000000012',
      headerMediaFileName: 'invoice-7731.pdf',
    },
  },
  location: {
    summary: 'A template with a location header',
    value: {
      to: '4915112345678',
      templateName: 'shop_visit',
      templateParameters: [{ text: 'PK-7731' }],
      headerLocation: {
        latitude: 52.520008,
        longitude: 13.404954,
        name: 'Parcel shop',
        address: 'Alexanderplatz 1, Berlin',
      },
    },
  },
  payloads: {
    summary: 'A template with custom quick-reply payloads',
    value: {
      to: '4915112345678',
      templateName: 'summer_sale',
      templateParameters: [{ text: 'Mira' }],
      headerMediaUrl: 'https://files.example.com/summer.png',
      quickReplyPayloads: { '0': 'show-summer-sale' },
    },
  },
  userId: {
    summary: 'To a person without a phone number',
    value: { userId: 'US.13491208655302741930', templateName: 'hello_world' },
  },
  plain: { summary: 'A template without values', value: { to: '4915112345678', templateName: 'hello_world' } },
};

/** The outcome of a single send. */
export class SentMessageDto {
  @ApiProperty({
    format: 'uuid',
    description: 'Id of the message in this service.',
    example: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11',
  })
  messageId: string;

  @ApiProperty({
    description:
      'Sent: the platform accepted it. Queued: it waits for the pace or the platform and is sent automatically. ' +
      'Unknown: the platform did not answer; the outcome is settled later, and the message is never resent ' +
      'automatically. A repeated request may also return Delivered, Read, Undelivered or Failed.',
    enum: ['Sent', 'Queued', 'Unknown', 'Delivered', 'Read', 'Undelivered', 'Failed'],
    example: 'Sent',
  })
  status: string;

  @ApiProperty({
    description: 'The recipient, digits only; null: only the `userId` is known.',
    type: String,
    nullable: true,
    example: '4915112345678',
  })
  to: string | null;

  @ApiPropertyOptional({
    description: "The platform's id of the recipient, if the request gave it.",
    example: 'US.13491208655302741918',
  })
  userId?: string;

  @ApiProperty({ description: 'The template that was sent.', example: 'order_update' })
  templateName: string;

  @ApiProperty({ description: 'Its language.', example: 'en_US' })
  languageCode: string;

  @ApiProperty({
    description: "The platform's id of the message; null until the platform has accepted it.",
    type: String,
    nullable: true,
    example: 'wamid.HBgNNDkxNTExMjM0NTY3OBUCABEYEkM3ODAxNzgyMkY4MzJFMDI0OAA=',
  })
  platformMessageId: string | null;

  @ApiProperty({
    format: 'date-time',
    description: 'When the message was accepted, ISO 8601 in UTC.',
    example: '2026-11-20T19:15:00.000Z',
  })
  createdAt: string;

  /** The response for the current state of a message. */
  static from(message: TemplateMessage): SentMessageDto {
    return {
      messageId: message.id,
      status: message.status,
      to: message.contactPhone,
      ...(message.contactUserId !== null && { userId: message.contactUserId }),
      templateName: message.templateName,
      languageCode: message.languageCode,
      platformMessageId: message.platformMessageId,
      createdAt: message.createdAt.toISOString(),
    };
  }
}

const ID = { messageId: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11' };
const STORED = {
  to: '4915112345678',
  templateName: 'order_update',
  languageCode: 'en_US',
  platformMessageId: null,
  createdAt: '2026-11-20T19:15:00.000Z',
};

/** Responses to a stored send. */
export const STORED_MESSAGE_EXAMPLES = {
  queued: { summary: 'Waiting; sent automatically', value: { ...ID, status: 'Queued', ...STORED } },
  unknown: { summary: 'The platform did not answer', value: { ...ID, status: 'Unknown', ...STORED } },
};

/** The send of a request; null counts as absent. */
export function templateSendOf(body: SendTemplateDto) {
  const { templateName, validForSeconds } = body;
  return {
    recipient: { phone: body.to ?? null, userId: body.userId ?? null },
    templateName,
    languageCode: body.languageCode ?? DEFAULT_LANGUAGE,
    values: (body.templateParameters ?? []).map(({ text }) => text),
    extras: extrasOf(body),
    isReply: body.reply ?? false,
    reference: body.reference ?? null,
    validForSeconds,
    senderId: body.senderId ?? undefined,
  };
}
