import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsString,
  MaxLength,
  ValidateNested,
} from 'class-validator';
import { FieldErrorDto } from '../../../infra/http/errors/error.dto';
import { MayBeAbsent } from '../../../infra/http/validation/may-be-absent.decorator';
import { SenderIdField } from '../../accounts/adapters/account-senders.dto';
import { TEMPLATE_CATEGORIES, type TemplateCategory } from '../domain/template';
import {
  CARD_HEADER_FORMATS,
  type CardHeaderFormat,
  HEADER_FORMATS,
  type HeaderFormat,
  PARAMETER_FORMATS,
  type ParameterFormat,
} from '../domain/template-components';
import type { TemplateDraft, TemplateEdit } from '../domain/template-draft';
import {
  type DraftPreview,
  PREVIEW_CODES,
  type PreviewButton,
  type PreviewCard,
  type PreviewProblem,
  type TemplatePreview,
} from '../domain/template-preview';
import { PARAMETER_FORM, TemplateExtrasDto } from './template-extras.dto';
import { TemplateContentsDto } from './template-contents.dto';
import { TemplateButtonDto } from './templates.dto';

const TTL = {
  description:
    'Seconds after which an undelivered message is dropped: Authentication 30 to 900, Utility 30 to 43,200 (both also -1: 30 days), Marketing 43,200 to 2,592,000.',
  type: 'integer',
  example: 3600,
} as const;

/** A template to create. */
export class CreateTemplateDto extends TemplateContentsDto implements TemplateDraft {
  @ApiProperty({
    description: '1 to 512 lower case letters, digits and underscores.',
    maxLength: 512,
    example: 'parcel_on_the_way',
  })
  @IsString()
  @MaxLength(512)
  name: string;

  @ApiProperty({ description: 'A language code of the platform, with an underscore.', example: 'en_US' })
  @IsString()
  @MaxLength(20)
  languageCode: string;

  @ApiProperty({ description: 'Category of the template.', enum: TEMPLATE_CATEGORIES, example: 'Utility' })
  @IsIn(TEMPLATE_CATEGORIES)
  category: TemplateCategory;

  @ApiPropertyOptional({
    description: 'Whether placeholders have numbers or names.',
    enum: PARAMETER_FORMATS,
    default: 'Positional',
    example: 'Positional',
  })
  @MayBeAbsent()
  @IsIn(PARAMETER_FORMATS)
  parameterFormat: ParameterFormat = 'Positional';

  @ApiPropertyOptional(TTL)
  @MayBeAbsent()
  @IsInt()
  messageTtlSeconds?: number;

  @ApiPropertyOptional({
    description: '`true`: only check. Returns 200 with all problems of the template; nothing is submitted.',
    default: false,
    example: false,
  })
  @MayBeAbsent()
  @IsBoolean()
  dryRun?: boolean;

  @SenderIdField('The sender whose business account gets the template; absent: the default sender.')
  senderId?: string;
}

/** A change of a template. */
export class EditTemplateDto extends TemplateContentsDto implements TemplateEdit {
  @ApiPropertyOptional({
    description: 'A new category; the category of an Approved template cannot be changed.',
    enum: TEMPLATE_CATEGORIES,
    example: 'Utility',
  })
  @MayBeAbsent()
  @IsIn(TEMPLATE_CATEGORIES)
  category?: TemplateCategory;

  @ApiPropertyOptional(TTL)
  @MayBeAbsent()
  @IsInt()
  messageTtlSeconds?: number;
}

const BODY = {
  text: 'Hello {{1}}, it arrives on {{2}} at the latest.',
  examples: ['Mira', 'Monday'],
};

/** Request bodies that can be sent without changes. */
export const CREATE_TEMPLATE_EXAMPLES = {
  numbered: {
    summary: 'A header, numbered placeholders and buttons',
    value: {
      name: 'parcel_on_the_way',
      languageCode: 'en_US',
      category: 'Utility',
      parameterFormat: 'Positional',
      header: { format: 'Text', text: 'Parcel {{1}}', example: 'PK-1' },
      body: BODY,
      footer: { text: 'Reply STOP to unsubscribe' },
      buttons: [
        { type: 'QuickReply', text: 'Stop' },
        { type: 'Url', text: 'Track', url: 'https://t.example.com/{{1}}', example: 'https://t.example.com/PK-1' },
      ],
    },
  },
  plain: {
    summary: 'Only a body',
    value: {
      name: 'thank_you',
      languageCode: 'en_US',
      category: 'Utility',
      body: { text: 'Thank you for your order.' },
    },
  },
};

/** Request bodies that can be sent without changes. */
export const EDIT_TEMPLATE_EXAMPLES = {
  contents: { summary: 'New contents', value: { body: BODY } },
  category: { summary: 'Another category', value: { category: 'Marketing' } },
};

/** The problems of a template draft. */
export class TemplateCheckDto {
  @ApiProperty({
    description: 'One per field, as in the error response. Empty: the template would be submitted to the platform.',
    type: [FieldErrorDto],
  })
  problems: FieldErrorDto[];
}

/** One value of a preview. */
export class PreviewParameterDto {
  @ApiProperty({ description: 'Text that replaces the placeholder.', maxLength: 1024, example: 'Mira' })
  @IsString()
  @MaxLength(1024)
  text: string;
}

/** The values and extras for a preview. */
export class PreviewTemplateDto extends TemplateExtrasDto {
  @ApiPropertyOptional({
    description:
      'The values, in the order of a send. For a missing value the placeholder stays and a problem is reported.',
    type: [PreviewParameterDto],
    example: [{ text: 'Mira' }, { text: 'PK-1' }],
  })
  @MayBeAbsent()
  @IsArray()
  @ArrayMaxSize(200)
  @IsObject({ each: true })
  @ValidateNested({ each: true, message: PARAMETER_FORM })
  @Type(() => PreviewParameterDto)
  templateParameters: PreviewParameterDto[] = [];
}

/** The values and extras for a preview of a template that is not saved. */
export class PreviewDraftDto extends PreviewTemplateDto {
  @ApiProperty({
    description: 'The template, as in `POST /templates`; `dryRun` has no effect.',
    type: CreateTemplateDto,
  })
  @IsObject()
  @ValidateNested()
  @Type(() => CreateTemplateDto)
  draft: CreateTemplateDto;
}

/** The header of a preview. */
export class PreviewHeaderDto {
  @ApiProperty({ description: 'Format of the header.', enum: HEADER_FORMATS, example: 'Text' })
  format: HeaderFormat;

  @ApiProperty({
    description: 'Filled-in text of a Text header.',
    type: String,
    nullable: true,
    example: 'Parcel PK-1',
  })
  text: string | null;
}

/** A button of a preview. */
export class PreviewButtonDto extends TemplateButtonDto implements PreviewButton {
  @ApiProperty({ description: 'The code of a CopyCode or Otp button.', type: String, nullable: true, example: null })
  code: string | null;
}

/** The header of a card of a preview. */
export class PreviewCardHeaderDto {
  @ApiProperty({ description: 'Format of the header.', enum: CARD_HEADER_FORMATS, example: 'Image' })
  format: CardHeaderFormat;
}

/** A card of a preview. */
export class PreviewCardDto implements PreviewCard {
  @ApiProperty({ description: 'Its header.', type: PreviewCardHeaderDto })
  header: PreviewCardHeaderDto;

  @ApiProperty({ description: 'Its text, filled in.', type: String, nullable: true, example: 'Only 3 left' })
  body: string | null;

  @ApiProperty({ description: 'Its buttons, filled in.', type: [PreviewButtonDto] })
  buttons: PreviewButtonDto[];
}

/** The limited-time offer of a preview. */
export class PreviewOfferDto {
  @ApiProperty({ description: 'Text of the offer.', example: 'Ends soon!' })
  text: string;

  @ApiProperty({
    description: 'When it ends: `offerExpiresAt` of the request; null: not given.',
    type: String,
    format: 'date-time',
    nullable: true,
    example: '2026-12-01T20:00:00.000Z',
  })
  expiresAt: string | null;
}

/** A reason why the template cannot be sent with these values. */
export class PreviewProblemDto implements PreviewProblem {
  @ApiProperty({ description: 'The field with the problem.', example: 'templateParameters' })
  field: string;

  @ApiProperty({
    description: 'The error code that a send would return.',
    enum: PREVIEW_CODES,
    example: 'parameter_mismatch',
  })
  code: PreviewProblem['code'];

  @ApiProperty({ description: 'What to do about it.', example: 'The template takes 2 values, not 1. Give exactly 2.' })
  message: string;
}

/** A template filled in with values, without the problems. */
abstract class FilledPreviewDto {
  @ApiProperty({ description: 'The text of the message.', example: 'Hello Mira, parcel PK-1 is on its way.' })
  renderedText: string;

  @ApiProperty({ description: 'Format of the header.', type: PreviewHeaderDto })
  header: PreviewHeaderDto;

  @ApiProperty({ description: 'The body, filled in.', example: 'Hello Mira, parcel PK-1 is on its way.' })
  body: string;

  @ApiProperty({ description: 'The footer.', type: String, nullable: true, example: null })
  footer: string | null;

  @ApiProperty({ description: 'The buttons, filled in.', type: [PreviewButtonDto] })
  buttons: PreviewButtonDto[];

  @ApiPropertyOptional({ description: 'Present for templates with a limited-time offer.', type: PreviewOfferDto })
  offer?: PreviewOfferDto;

  @ApiPropertyOptional({ description: 'The cards, present for carousels.', type: [PreviewCardDto] })
  cards?: PreviewCardDto[];
}

/** A template filled in with values. */
export class TemplatePreviewDto extends FilledPreviewDto {
  @ApiProperty({ description: 'Empty: a send with these values would be accepted.', type: [PreviewProblemDto] })
  problems: PreviewProblemDto[];

  /** Converts a preview. */
  static from(preview: TemplatePreview): TemplatePreviewDto {
    return preview;
  }
}

/** A template that is not saved, filled in with values. */
export class DraftPreviewDto extends FilledPreviewDto {
  @ApiProperty({
    description:
      'First those of the draft, below `draft`, then those of a send, as in the preview of a template. Empty: the template would be submitted and, once approved, sent with these values.',
    type: [FieldErrorDto],
    example: [{ field: 'draft.body.text', code: 'required', message: 'draft.body.text is required.' }],
  })
  problems: FieldErrorDto[];

  /** Converts a preview. */
  static from(preview: DraftPreview): DraftPreviewDto {
    return preview;
  }
}

/** The format of a sample file. */
export class SampleFileQueryDto {
  @ApiPropertyOptional({ description: 'File format.', enum: ['csv', 'xlsx'], default: 'csv', example: 'xlsx' })
  @MayBeAbsent()
  @IsIn(['csv', 'xlsx'])
  format: 'csv' | 'xlsx' = 'csv';
}

/** Example bodies of the API reference. */
export const PREVIEW_EXAMPLES = {
  values: { summary: 'Two values', value: { templateParameters: [{ text: 'Mira' }, { text: 'PK-7731' }] } },
  media: {
    summary: 'A document in the header',
    value: { headerMediaUrl: 'https://files.example.com/invoice.pdf', templateParameters: [{ text: 'Mira' }] },
  },
};

/** Example bodies of the API reference. */
export const PREVIEW_DRAFT_EXAMPLES = {
  values: {
    summary: 'A template that is not saved, with two values',
    value: {
      draft: { name: 'on_the_way', languageCode: 'en_US', category: 'Utility', body: BODY },
      templateParameters: [{ text: 'Mira' }, { text: 'Monday' }],
    },
  },
};
