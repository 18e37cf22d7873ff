import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  IsUrl,
  Matches,
  MaxLength,
  ValidateBy,
  ValidateNested,
} from 'class-validator';
import { CoordinatesDto } from '../../../infra/http/validation/coordinates.dto';
import { IsInstant } from '../../../infra/http/validation/instant.decorator';
import { IsPublicUrl } from '../../../infra/http/validation/public-url.validator';
import type { ExtrasFields, HeaderLocation, Product, ProductSection, TapTarget } from '../domain/template-extras';

const MAX_PAYLOAD_LENGTH = 256;
/** The error of an element of `templateParameters` that is not an object. */
export const PARAMETER_FORM = 'must be an object such as {"text": "Mira"}.';

/** A template has at most ten buttons. */
const BUTTON_INDEX = /^\d$/;
const ONE_LINE = /^[^\p{Cc}\p{Cs}]+$/u;

/** The place of a location header; the platform requires all four fields. */
export class HeaderLocationDto extends CoordinatesDto implements HeaderLocation {
  @ApiProperty({ description: 'Name of the place.', example: 'Parcel shop', minLength: 1, maxLength: 1000 })
  @IsString()
  @IsNotEmpty()
  @MaxLength(1000)
  @Matches(ONE_LINE, { message: '$property must be one line without control characters' })
  name: string;

  @ApiProperty({ description: 'Its address.', example: 'Alexanderplatz 1, Berlin', minLength: 1, maxLength: 1000 })
  @IsString()
  @IsNotEmpty()
  @MaxLength(1000)
  @Matches(ONE_LINE, { message: '$property must be one line without control characters' })
  address: string;
}

/** Media id of the platform. */
export const IsMediaId = () =>
  applyDecorators(
    IsString(),
    MaxLength(255),
    Matches(/^[\w.:-]+$/, { message: '$property must be a media id returned by the platform' }),
  );

/** Public URL of a media file, from which the platform fetches it. */
export const IsMediaUrl = () =>
  applyDecorators(
    IsString(),
    MaxLength(2000),
    IsPublicUrl(),
    IsUrl(
      { protocols: ['http', 'https'], require_protocol: true },
      { message: '$property must be a URL that starts with https:// or http://' },
    ),
    Matches(/^[^\s\p{Cc}\p{Cs}]+$/u, { message: '$property must be a URL without spaces' }),
  );

/** Name of a document as the recipient sees it: one line of 1 to 240 characters without slashes. */
export const IsFileName = () =>
  applyDecorators(
    IsString(),
    MaxLength(240),
    Matches(/^[^/\\\p{Cc}\p{Cs}]+$/u, {
      message: '$property must be a file name without slashes and control characters',
    }),
  );

/** An id or token of the client or the platform: one line of 1 to 255 characters. */
const IsId = (options?: { each: boolean }) =>
  applyDecorators(
    IsString(options),
    MaxLength(255, options),
    Matches(ONE_LINE, { ...options, message: '$property must be one line of 1 to 255 characters' }),
  );

/** `quickReplyPayloads` of a request that sends a template. */
export const QuickReplyPayloadsField = () =>
  applyDecorators(
    ApiPropertyOptional({
      description: `Payloads returned as \`choice.id\` of the message when the person taps a quick-reply button; default: the label of the button. The key is the index of the button in \`buttons\` of the template, from "0"; each value is one line of 1 to ${MAX_PAYLOAD_LENGTH} characters.`,
      type: 'object',
      additionalProperties: { type: 'string', minLength: 1, maxLength: MAX_PAYLOAD_LENGTH },
      example: { '0': 'confirm-4711', '1': 'cancel-4711' },
    }),
    IsOptional(),
    IsObject(),
    ValidateBy({
      name: 'matches',
      validator: {
        validate: (value) => isPayloads(value),
        defaultMessage: () =>
          `$property must name buttons by their index, "0" to "9", each with one line of 1 to ${MAX_PAYLOAD_LENGTH} characters`,
      },
    }),
  );

/** A product of a catalog. */
export class ProductDto implements Product {
  @ApiProperty({ description: "The platform's id of the catalog.", example: '194836987003835', maxLength: 100 })
  @IsId()
  catalogId: string;

  @ApiProperty({ description: "The product's id in the catalog (`retailer_id`).", example: 'sku-1', maxLength: 100 })
  @IsId()
  productId: string;
}

/** A section of a list of products. */
export class ProductSectionDto implements ProductSection {
  @ApiProperty({
    description: 'Title, at most 24 characters; may be empty if it is the only section.',
    example: 'Popular',
  })
  @IsString()
  @MaxLength(24)
  @Matches(/^[^\p{Cc}\p{Cs}]*$/u, { message: '$property must be one line without control characters' })
  title: string;

  @ApiProperty({
    description: 'Products of the catalog, at most 30 in all sections.',
    type: [String],
    example: ['sku-1', 'sku-2'],
  })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(30)
  @IsId({ each: true })
  productIds: string[];
}

/** The products of a button. */
export class ButtonProductsDto {
  @ApiPropertyOptional({
    description: 'The product shown in the message; required for a MultiProduct button.',
    example: 'sku-1',
  })
  @IsOptional()
  @IsId()
  thumbnailProductId?: string;

  @ApiPropertyOptional({ description: 'For a MultiProduct button: 1 to 10 sections.', type: [ProductSectionDto] })
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(10)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => ProductSectionDto)
  sections?: ProductSectionDto[];
}

/** The input of a flow. */
export class FlowInputDto {
  @ApiPropertyOptional({
    description: 'Returned with the answer; default: the id of the message.',
    example: 'booking-4711',
    maxLength: 255,
  })
  @IsOptional()
  @IsId()
  token?: string;

  @ApiPropertyOptional({
    description: 'Data of the first screen, for flows that navigate to one.',
    type: 'object',
    additionalProperties: true,
    example: { name: 'Mira' },
  })
  @IsOptional()
  @IsObject()
  data?: Record<string, unknown>;
}

/** What a tap on a message opens. */
export class TapTargetDto implements TapTarget {
  @ApiProperty({
    description: 'Title that the message shows instead of the address.',
    example: 'Details',
    maxLength: 255,
  })
  @IsId()
  title: string;

  @ApiProperty({
    description: 'Public URL that a tap opens.',
    example: 'https://shop.example.com/spring',
    maxLength: 2000,
  })
  @IsMediaUrl()
  url: string;
}

/** The extras of a carousel card. */
export class CardExtrasDto {
  @ApiPropertyOptional({
    description: 'Platform media id of the image or video of the card.',
    example: '900000000000011',
    maxLength: 255,
  })
  @IsOptional()
  @IsNotEmpty()
  @IsMediaId()
  headerMediaId?: string;

  @ApiPropertyOptional({
    description: 'Its public URL, instead of `headerMediaId`.',
    example: 'https://files.example.com/card.png',
    maxLength: 2000,
  })
  @IsOptional()
  @IsMediaUrl()
  headerMediaUrl?: string;

  @ApiPropertyOptional({ description: 'The product of the card, in a carousel of products.', type: ProductDto })
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => ProductDto)
  product?: ProductDto;

  @QuickReplyPayloadsField()
  quickReplyPayloads?: Record<string, string>;
}

/** The extras of a request that sends a template. `needs` of the template lists the required ones. */
export class TemplateExtrasDto implements ExtrasFields {
  @ApiPropertyOptional({
    description: 'Platform media ID, for templates with a media header.',
    example: '900000000000011',
    maxLength: 255,
  })
  @IsOptional()
  @IsNotEmpty()
  @IsMediaId()
  headerMediaId?: string;

  @ApiPropertyOptional({
    description: 'Public URL of the media, instead of `headerMediaId`.',
    example: 'https://files.example.com/label.png',
    maxLength: 2000,
  })
  @IsOptional()
  @IsMediaUrl()
  headerMediaUrl?: string;

  @ApiPropertyOptional({
    description:
      'Name of the document that the recipient sees, for templates with a document header. Default: the last part of `headerMediaUrl`.',
    example: 'invoice-7731.pdf',
    minLength: 1,
    maxLength: 240,
  })
  @IsOptional()
  @IsFileName()
  headerMediaFileName?: string;

  @ApiPropertyOptional({ description: 'The place, for templates with a location header.', type: HeaderLocationDto })
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => HeaderLocationDto)
  headerLocation?: HeaderLocationDto;

  @ApiPropertyOptional({ description: 'The product, for templates with a product header.', type: ProductDto })
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => ProductDto)
  headerProduct?: ProductDto;

  @QuickReplyPayloadsField()
  quickReplyPayloads?: Record<string, string>;

  @ApiPropertyOptional({ description: 'Input for the flow, for templates with a Flow button.', type: FlowInputDto })
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => FlowInputDto)
  flow?: FlowInputDto;

  @ApiPropertyOptional({
    description: 'Products, for templates with a Catalog or MultiProduct button.',
    type: ButtonProductsDto,
  })
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => ButtonProductsDto)
  products?: ButtonProductsDto;

  @ApiPropertyOptional({
    description:
      'When the offer ends, for templates with a limited-time offer; a message whose turn comes later fails with `offer_expired`.',
    format: 'date-time',
    example: '2026-12-01T20:00:00Z',
  })
  @IsOptional()
  @IsInstant()
  offerExpiresAt?: string;

  @ApiPropertyOptional({
    description:
      'What a tap on the message opens, for templates with a Url button. The platform allows it to verified businesses of good quality.',
    type: TapTargetDto,
  })
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => TapTargetDto)
  tapTarget?: TapTargetDto;

  @ApiPropertyOptional({ description: 'One entry for each card, in order, for carousels.', type: [CardExtrasDto] })
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(10)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => CardExtrasDto)
  cards?: CardExtrasDto[];
}

function isPayloads(value: unknown): boolean {
  return Object.entries(value ?? {}).every(
    ([index, payload]) =>
      BUTTON_INDEX.test(index) &&
      typeof payload === 'string' &&
      payload.length <= MAX_PAYLOAD_LENGTH &&
      payload.trim() !== '' &&
      ONE_LINE.test(payload),
  );
}
