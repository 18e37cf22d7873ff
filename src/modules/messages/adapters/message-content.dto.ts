import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { ContactCard, MessageContent, MessageMedia, OrderItem } from '../domain/message-content';

/** A file in a message. */
export class MessageMediaDto implements MessageMedia {
  @ApiProperty({
    type: String,
    nullable: true,
    description: "The platform's id of the file; null when the file was given by its address.",
    example: '1013859600285441',
  })
  mediaId: string | null;

  @ApiPropertyOptional({
    description: 'The address from which the platform downloads it.',
    example: 'https://example.com/shoe.jpg',
  })
  url?: string;

  @ApiPropertyOptional({ description: 'MIME type of the file.', example: 'image/jpeg' })
  mimeType?: string;

  @ApiPropertyOptional({ description: 'Name of a document.', example: 'invoice.pdf' })
  fileName?: string;

  @ApiPropertyOptional({ description: 'Hash of the file, as the platform writes it.', example: 'aWpk3P2O4+4=' })
  sha256?: string;

  @ApiPropertyOptional({ description: 'Whether it is a voice message.', example: true })
  voice?: boolean;

  @ApiPropertyOptional({ description: 'Whether a sticker is animated.', example: false })
  animated?: boolean;
}

/** What was pressed or chosen. */
export class MessageChoiceDto {
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'What you gave the button or row: of a quick-reply button its payload; without one its label.',
    example: 'confirm-4711',
  })
  id: string | null;

  @ApiPropertyOptional({ description: 'Second line of a row.', example: 'Delivery on Friday' })
  description?: string;

  @ApiPropertyOptional({ description: 'Answers of a form, JSON as the platform sends it.', example: '{"rating":"5"}' })
  form?: string;
}

/** A reaction to another message. */
export class MessageReactionDto {
  @ApiProperty({ description: "The platform's id of that message.", example: 'wamid.HBgNNDkxNTEyMzQ1Njc4ORUCABEYEjA' })
  platformMessageId: string;

  @ApiProperty({ type: String, nullable: true, description: 'The emoji; null removes the reaction.', example: '👍' })
  emoji: string | null;
}

/** A place. */
export class MessageLocationDto {
  @ApiProperty({ description: 'Degrees north.', example: 52.52 })
  latitude: number;

  @ApiProperty({ description: 'Degrees east.', example: 13.405 })
  longitude: number;

  @ApiPropertyOptional({ description: 'Name of the place.', example: 'Town hall' })
  name?: string;

  @ApiPropertyOptional({ description: 'Its address.', example: 'Rathausstraße 15, Berlin' })
  address?: string;

  @ApiPropertyOptional({ description: 'A page about it.', example: 'https://example.com' })
  url?: string;
}

/** A person whose details were sent. */
export class ContactCardDto implements ContactCard {
  @ApiProperty({ description: 'Name as it was sent.', example: 'Anna Schmidt' })
  name: string;

  @ApiProperty({ description: 'Numbers as they were sent.', type: [String], example: ['+49 1512 3456789'] })
  phones: string[];
}

/** One line of an order. */
export class OrderItemDto implements OrderItem {
  @ApiProperty({ description: 'Id in your catalogue.', example: 'shoe-42' })
  productId: string;

  @ApiProperty({ description: 'How many.', example: 1 })
  quantity: number;

  @ApiProperty({ type: Number, nullable: true, description: 'Price of one.', example: 59.9 })
  price: number | null;

  @ApiProperty({ type: String, nullable: true, description: 'Currency of the price.', example: 'EUR' })
  currency: string | null;
}

/** What was ordered. */
export class MessageOrderDto {
  @ApiProperty({ type: String, nullable: true, description: 'Id of your catalogue.', example: '800000000000001' })
  catalogId: string | null;

  @ApiProperty({ description: 'Its lines.', type: [OrderItemDto] })
  items: OrderItem[];
}

/** What led a person here. */
export class MessageReferralDto {
  @ApiPropertyOptional({ description: 'Type of the source.', example: 'ad' })
  sourceType?: string;

  @ApiPropertyOptional({ description: "The platform's id of it.", example: '120330000000000' })
  sourceId?: string;

  @ApiPropertyOptional({ description: 'Its address.', example: 'https://example.com/ad' })
  sourceUrl?: string;

  @ApiPropertyOptional({ description: 'Its headline.', example: 'Shoes for autumn' })
  headline?: string;

  @ApiPropertyOptional({
    description: 'Id of the click, with which you report conversions.',
    example: 'ARAkLkA8rmlFeiCktEJQ',
  })
  clickId?: string;
}

/** Why the platform did not deliver the content of a message. */
export class ContentProblemDto {
  @ApiProperty({ type: 'integer', nullable: true, description: "The platform's error code.", example: 131051 })
  platformCode: number | null;

  @ApiProperty({ description: 'The reason, in words.', example: 'Message type is not supported' })
  message: string;
}

/** The content of a message; fields that do not apply are left out. */
export class MessageContentDto implements MessageContent {
  @ApiPropertyOptional({ description: "Of Other and Unsupported: the platform's name of the type.", example: 'poll' })
  kind?: string;

  @ApiPropertyOptional({
    description: 'The text, the caption, the label of the pressed button or the title of the chosen row.',
    example: 'Where is my order?',
  })
  text?: string;

  @ApiPropertyOptional({
    description: 'Whether the first link in the text is shown with a preview of its page.',
    example: false,
  })
  previewUrl?: boolean;

  @ApiPropertyOptional({ description: 'A file; one that a person sent is at GET /messages/{messageId}/media.' })
  media?: MessageMediaDto;

  @ApiPropertyOptional({ description: 'Of Button and Interactive.' })
  choice?: MessageChoiceDto;

  @ApiPropertyOptional({
    description: 'Of a template: the payloads that its quick-reply buttons were sent with, by their index.',
    type: 'object',
    additionalProperties: { type: 'string' },
    example: { '0': 'confirm-4711' },
  })
  quickReplyPayloads?: Record<string, string>;

  @ApiPropertyOptional({ description: 'Of Reaction.' })
  reaction?: MessageReactionDto;

  @ApiPropertyOptional({ description: 'Of Location, and of a template with a location header.' })
  location?: MessageLocationDto;

  @ApiPropertyOptional({ description: 'Of Contacts.', type: [ContactCardDto] })
  contacts?: ContactCard[];

  @ApiPropertyOptional({ description: 'Of Order.' })
  order?: MessageOrderDto;

  @ApiPropertyOptional({
    description: "The platform's id of the message that this one answers.",
    example: 'wamid.HBgNNDkxNTEyMzQ1Njc4ORUCABEYEjA',
  })
  replyTo?: string;

  @ApiPropertyOptional({ description: 'Whether the person forwarded it.', example: true })
  forwarded?: boolean;

  @ApiPropertyOptional({ description: 'The advertisement or post that led the person here.' })
  referral?: MessageReferralDto;

  @ApiPropertyOptional({
    description: 'When the person last edited the message; the rest is what it says since.',
    format: 'date-time',
    example: '2026-01-15T09:31:00.000Z',
  })
  editedAt?: string;

  @ApiPropertyOptional({
    description: 'When the person revoked the message; nothing else of its content is kept.',
    format: 'date-time',
    example: '2026-01-15T09:32:00.000Z',
  })
  revokedAt?: string;

  @ApiPropertyOptional({ description: 'Of Unsupported.' })
  problem?: ContentProblemDto;
}
