import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { InteractiveDto } from './interactive.dto';
import type { ContactCard, MessageContent, MessageMedia, OrderItem } from '../domain/message-content';

/** A file in a message. */
export class MessageMediaDto implements MessageMedia {
  @ApiProperty({
    type: String,
    nullable: true,
    description: "The platform's id of the file; null if it was given by URL.",
    example: '1013859600285441',
  })
  mediaId: string | null;

  @ApiPropertyOptional({
    description: 'URL from which the platform downloads it.',
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

/** The button or row chosen. */
export class MessageChoiceDto {
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Payload or id of the button or row; the label of a quick-reply button without payload.',
    example: 'confirm-4711',
  })
  id: string | null;

  @ApiPropertyOptional({ description: 'Second line of a row.', example: 'Delivery on Friday' })
  description?: string;

  @ApiPropertyOptional({ description: 'Form answers, JSON as sent by the platform.', example: '{"rating":"5"}' })
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

  @ApiPropertyOptional({ description: 'URL of a page about the place.', example: 'https://example.com' })
  url?: string;
}

/** A person whose details were sent. */
export class ContactCardDto implements ContactCard {
  @ApiProperty({ description: 'Name as sent.', example: 'Anna Schmidt' })
  name: string;

  @ApiProperty({ description: 'Numbers as sent.', type: [String], example: ['+49 1512 3456789'] })
  phones: string[];
}

/** One line of an order. */
export class OrderItemDto implements OrderItem {
  @ApiProperty({ description: 'Id in your catalogue.', example: 'shoe-42' })
  productId: string;

  @ApiProperty({ description: 'Quantity.', example: 1 })
  quantity: number;

  @ApiProperty({ type: Number, nullable: true, description: 'Price per item.', example: 59.9 })
  price: number | null;

  @ApiProperty({ type: String, nullable: true, description: 'Currency of the price.', example: 'EUR' })
  currency: string | null;
}

/** An order. */
export class MessageOrderDto {
  @ApiProperty({ type: String, nullable: true, description: 'Id of your catalogue.', example: '800000000000001' })
  catalogId: string | null;

  @ApiProperty({ description: 'Line items.', type: [OrderItemDto] })
  items: OrderItem[];
}

/** The ad or post that a person came from. */
export class MessageReferralDto {
  @ApiPropertyOptional({ description: 'Type of the source.', example: 'ad' })
  sourceType?: string;

  @ApiPropertyOptional({ description: "The platform's id of the source.", example: '120330000000000' })
  sourceId?: string;

  @ApiPropertyOptional({ description: 'Its address.', example: 'https://example.com/ad' })
  sourceUrl?: string;

  @ApiPropertyOptional({ description: 'Headline of the source.', example: 'Shoes for autumn' })
  headline?: string;

  @ApiPropertyOptional({
    description: 'Click id for reporting conversions.',
    example: 'ARAkLkA8rmlFeiCktEJQ',
  })
  clickId?: string;
}

/** Why the platform did not deliver the content of a message. */
export class ContentProblemDto {
  @ApiProperty({ type: 'integer', nullable: true, description: "The platform's error code.", example: 131051 })
  platformCode: number | null;

  @ApiProperty({ description: 'The reason, as text.', example: 'Message type is not supported' })
  message: string;
}

/** The content of a message; fields that do not apply are left out. */
export class MessageContentDto implements MessageContent {
  @ApiPropertyOptional({ description: "For Other and Unsupported: the platform's name of the type.", example: 'poll' })
  kind?: string;

  @ApiPropertyOptional({
    description: 'The text, the caption, the label of the pressed button or the title of the chosen row.',
    example: 'Where is my order?',
  })
  text?: string;

  @ApiPropertyOptional({
    description: 'Whether the first link is shown with a preview.',
    example: false,
  })
  previewUrl?: boolean;

  @ApiPropertyOptional({ description: 'A file; download inbound files with GET /messages/{messageId}/media.' })
  media?: MessageMediaDto;

  @ApiPropertyOptional({ description: 'For a sent Interactive.' })
  interactive?: InteractiveDto;

  @ApiPropertyOptional({ description: 'For Button and Interactive.' })
  choice?: MessageChoiceDto;

  @ApiPropertyOptional({
    description: 'For templates: the payloads of the quick-reply buttons, by index.',
    type: 'object',
    additionalProperties: { type: 'string' },
    example: { '0': 'confirm-4711' },
  })
  quickReplyPayloads?: Record<string, string>;

  @ApiPropertyOptional({ description: 'For Reaction.' })
  reaction?: MessageReactionDto;

  @ApiPropertyOptional({ description: 'For Location, and templates with a location header.' })
  location?: MessageLocationDto;

  @ApiPropertyOptional({ description: 'For Contacts.', type: [ContactCardDto] })
  contacts?: ContactCard[];

  @ApiPropertyOptional({ description: 'For Order.' })
  order?: MessageOrderDto;

  @ApiPropertyOptional({
    description: "The platform's id of the message this one replies to.",
    example: 'wamid.HBgNNDkxNTEyMzQ1Njc4ORUCABEYEjA',
  })
  replyTo?: string;

  @ApiPropertyOptional({ description: 'Whether the person forwarded it.', example: true })
  forwarded?: boolean;

  @ApiPropertyOptional({ description: 'The ad or post from which the person came.' })
  referral?: MessageReferralDto;

  @ApiPropertyOptional({
    description: 'When the person last edited the message; the other fields show the edited version.',
    format: 'date-time',
    example: '2026-01-15T09:31:00.000Z',
  })
  editedAt?: string;

  @ApiPropertyOptional({
    description: 'When the person revoked the message; its other content is deleted.',
    format: 'date-time',
    example: '2026-01-15T09:32:00.000Z',
  })
  revokedAt?: string;

  @ApiPropertyOptional({ description: 'For Unsupported.' })
  problem?: ContentProblemDto;
}
