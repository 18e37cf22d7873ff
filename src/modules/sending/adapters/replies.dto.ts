import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  IsBoolean,
  IsIn,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  IsUUID,
  Matches,
  MaxLength,
  ValidateNested,
} from 'class-validator';
import { CoordinatesDto } from '../../../infra/http/validation/coordinates.dto';
import { IsFileName, IsMediaId, IsMediaUrl } from '../../templates/adapters/template-extras.dto';
import { IsReference } from './message-fields.dto';
import { FREE_FORM_TYPES, type FreeFormMessage, type FreeFormType } from '../../messages/domain/message';
import type { InteractiveContent, MessageContent } from '../../messages/domain/message-content';
import { InteractiveDto } from '../../messages/adapters/interactive.dto';
import {
  DEFAULT_TYPE,
  FieldOf,
  FileField,
  FitsReply,
  HasOneInteractive,
  IsEmoji,
  NotCombinedWith,
} from './reply-fields.decorators';

const MESSAGE_ID = '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11';

/** A location. */
export class ReplyLocationDto extends CoordinatesDto {
  @ApiPropertyOptional({ description: 'Name of the place.', example: 'Parcel shop', maxLength: 1000 })
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(1000)
  name?: string;

  @ApiPropertyOptional({ description: 'Its address.', example: 'Alexanderplatz 1, Berlin', maxLength: 1000 })
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(1000)
  address?: string;
}

/** An emoji on a message. */
export class ReplyReactionDto {
  @ApiProperty({ description: 'A message of this conversation.', format: 'uuid', example: MESSAGE_ID })
  @IsUUID()
  messageId: string;

  @ApiProperty({ description: 'One emoji; empty removes the reaction.', example: '👍' })
  @IsString()
  @IsEmoji()
  emoji: string;
}

/** A free-form reply in a conversation. */
export class ReplyDto {
  @ApiPropertyOptional({ description: 'Type of the message.', enum: FREE_FORM_TYPES, default: DEFAULT_TYPE })
  @IsOptional()
  @IsIn(FREE_FORM_TYPES)
  type?: FreeFormType;

  @ApiPropertyOptional({
    description:
      'The text, up to 4,096 characters; for an image, video or document its caption, up to 1,024; for a message with ' +
      'buttons or a link up to 1,024.',
    example: 'Your parcel is on its way.',
    maxLength: 4096,
  })
  @FieldOf(['Text', 'Image', 'Video', 'Document', 'Interactive'], ['Text', 'Interactive'])
  @IsString()
  @Matches(/\S/, { message: '$property must not be blank' })
  @FitsReply()
  text?: string;

  @ApiPropertyOptional({
    description: 'For files: the media id from POST /media.',
    example: '900000000000011',
    maxLength: 255,
  })
  @FileField('mediaUrl')
  @IsNotEmpty()
  @IsMediaId()
  mediaId?: string;

  @ApiPropertyOptional({
    description: 'For files, instead of mediaId: a public URL from which the platform downloads the file.',
    example: 'https://files.example.com/label.png',
    maxLength: 2000,
  })
  @FieldOf(['Image', 'Video', 'Audio', 'Document', 'Sticker'])
  @NotCombinedWith('mediaId')
  @IsMediaUrl()
  mediaUrl?: string;

  @ApiPropertyOptional({
    description: 'For documents: the name the person sees.',
    example: 'invoice-7731.pdf',
    maxLength: 240,
  })
  @FieldOf(['Document'])
  @IsFileName()
  fileName?: string;

  @ApiPropertyOptional({ description: 'For texts: show a preview of the first link.', example: false, default: false })
  @FieldOf(['Text'])
  @IsBoolean()
  previewUrl?: boolean;

  @ApiPropertyOptional({ description: 'For locations.', type: ReplyLocationDto })
  @FieldOf(['Location'], ['Location'])
  @IsObject()
  @ValidateNested()
  @Type(() => ReplyLocationDto)
  location?: ReplyLocationDto;

  @ApiPropertyOptional({ description: 'For reactions.', type: ReplyReactionDto })
  @FieldOf(['Reaction'], ['Reaction'])
  @IsObject()
  @ValidateNested()
  @Type(() => ReplyReactionDto)
  reaction?: ReplyReactionDto;

  @ApiPropertyOptional({
    description: 'For interactive messages: exactly one of `buttons`, `list` and `link`.',
    type: InteractiveDto,
  })
  @FieldOf(['Interactive'], ['Interactive'])
  @IsObject()
  @HasOneInteractive()
  @ValidateNested()
  @Type(() => InteractiveDto)
  interactive?: InteractiveDto;

  @ApiPropertyOptional({
    description: 'The message of this conversation to reply to, shown quoted. Not for reactions.',
    format: 'uuid',
    example: MESSAGE_ID,
  })
  @FieldOf(FREE_FORM_TYPES.filter((type) => type !== 'Reaction'))
  @IsUUID()
  replyTo?: string;

  @ApiPropertyOptional({ description: 'Your own reference for this message.', example: 'ticket-4711', maxLength: 255 })
  @IsOptional()
  @IsReference()
  reference?: string;

  @ApiPropertyOptional({
    description:
      '`true`: also answers a person who has opted out of all messages and written since, more than a keyword. Answer what they ask; do not ' +
      'advertise. Without it, and to people who have not written since, a reply is a 422 `recipient_opted_out`.',
    example: true,
    default: false,
  })
  @IsOptional()
  @IsBoolean()
  despiteOptOut?: boolean;
}

/** The reply of a request. */
export function replyOf(body: ReplyDto) {
  const { replyTo, reaction } = body;
  return {
    type: body.type ?? DEFAULT_TYPE,
    content: contentOf(body),
    replyTo: replyTo?.toLowerCase() ?? null,
    reaction: reaction ? { messageId: reaction.messageId.toLowerCase(), emoji: reaction.emoji || null } : null,
    reference: body.reference ?? null,
    despiteOptOut: body.despiteOptOut ?? false,
  };
}

/** The content of a request, as stored in the history. */
export function contentOf(request: ReplyDto): MessageContent {
  const { text, mediaId, mediaUrl, fileName, location, previewUrl, interactive } = request;
  const isFile = Boolean(mediaId ?? mediaUrl);
  return {
    ...(text && { text }),
    ...(previewUrl && { previewUrl }),
    ...(isFile && {
      media: { mediaId: mediaId ?? null, ...(mediaUrl && { url: mediaUrl }), ...(fileName && { fileName }) },
    }),
    ...(location && { location: placeOf(location) }),
    ...(interactive && { interactive: interactiveOf(interactive) }),
  };
}

function interactiveOf({ buttons, list, link, footer }: InteractiveDto): InteractiveContent {
  const sections = list?.sections.map(({ title, rows }) => ({
    ...(title && { title }),
    rows: rows.map(({ description, ...row }) => ({ ...row, ...(description && { description }) })),
  }));
  return {
    ...(buttons && { buttons }),
    ...(list && sections && { list: { buttonText: list.buttonText, sections } }),
    ...(link && { link }),
    ...(footer && { footer }),
  };
}

function placeOf({ latitude, longitude, name, address }: ReplyLocationDto): MessageContent['location'] {
  return { latitude, longitude, ...(name && { name }), ...(address && { address }) };
}

/** Valid bodies, except for the message ids. */
export const REPLY_EXAMPLES = {
  text: { summary: 'A text', value: { text: 'Your parcel is on its way.', reference: 'ticket-4711' } },
  answer: { summary: 'An answer to one message', value: { text: 'Yes, until 6 pm.', replyTo: MESSAGE_ID } },
  document: {
    summary: 'A document',
    value: { type: 'Document', mediaId: '900000000000012', fileName: 'invoice-7731.pdf', text: 'Your invoice' },
  },
  location: {
    summary: 'A location',
    value: { type: 'Location', location: { latitude: 52.520008, longitude: 13.404954, name: 'Parcel shop' } },
  },
  buttons: {
    summary: 'Buttons',
    value: {
      ...{ type: 'Interactive', text: 'Does Friday suit you?' },
      interactive: {
        buttons: [
          { id: 'friday-yes', title: 'Yes' },
          { id: 'friday-no', title: 'Another day' },
        ],
      },
    },
  },
  list: {
    summary: 'A list',
    value: {
      ...{ type: 'Interactive', text: 'When shall we deliver?' },
      interactive: {
        list: {
          buttonText: 'Choose a time',
          sections: [
            {
              rows: [
                { id: 'slot-1', title: '8:00' },
                { id: 'slot-2', title: '10:00', description: 'Friday' },
              ],
            },
          ],
        },
      },
    },
  },
  link: {
    summary: 'A link',
    value: {
      ...{ type: 'Interactive', text: 'Your parcel is on its way.' },
      interactive: { link: { title: 'Track it', url: 'https://shop.example.com/t/4711' }, footer: 'Acme Parcels' },
    },
  },
  reaction: { summary: 'A reaction', value: { type: 'Reaction', reaction: { messageId: MESSAGE_ID, emoji: '👍' } } },
};

/** The outcome of a reply. */
export class SentReplyDto {
  @ApiProperty({ format: 'uuid', description: 'Id of the message in this service.', example: MESSAGE_ID })
  messageId: string;

  @ApiProperty({
    description:
      'Sent: the platform accepted it. Queued: it waits for the pace or the platform and is sent automatically while ' +
      'the window is open. Unknown: the platform did not answer; the outcome is settled later, and the message is ' +
      'never resent automatically. A repeated request may also return Delivered, Read, Undelivered or Failed.',
    enum: ['Sent', 'Queued', 'Unknown', 'Delivered', 'Read', 'Undelivered', 'Failed'],
    example: 'Sent',
  })
  status: string;

  @ApiProperty({
    format: 'uuid',
    description: 'The conversation of the message.',
    example: '5f0c6a4e-9d3b-8a51-b7c2-6e1d40a8f917',
  })
  conversationId: string;

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

  /** The response for the current state of a reply. */
  static from(conversationId: string, message: FreeFormMessage): SentReplyDto {
    return {
      messageId: message.id,
      status: message.status,
      conversationId,
      platformMessageId: message.platformMessageId,
      createdAt: message.createdAt.toISOString(),
    };
  }
}

const STORED = {
  conversationId: '5f0c6a4e-9d3b-8a51-b7c2-6e1d40a8f917',
  platformMessageId: null,
  createdAt: '2026-11-20T19:15:00.000Z',
};

/** Responses to a stored reply. */
export const STORED_REPLY_EXAMPLES = {
  queued: {
    summary: 'Waiting; sent automatically',
    value: { messageId: MESSAGE_ID, status: 'Queued', ...STORED },
  },
  unknown: {
    summary: 'The platform did not answer',
    value: { messageId: MESSAGE_ID, status: 'Unknown', ...STORED },
  },
};
