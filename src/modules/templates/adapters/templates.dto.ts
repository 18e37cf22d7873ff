import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { PageQueryDto } from '../../../infra/http/page.dto';
import { SendableTemplate } from '../domain/sendable-template';
import {
  QUALITY_RATINGS,
  type QualityRating,
  type Template,
  TEMPLATE_CATEGORIES,
  TEMPLATE_STATUSES,
  type TemplateCategory,
  type TemplateFilter,
  type TemplateStatus,
} from '../domain/template';
import {
  BUTTON_TYPES,
  type ButtonType,
  HEADER_FORMATS,
  type HeaderFormat,
  PARAMETER_FORMATS,
  type ParameterFormat,
} from '../domain/template-components';
import type { SyncResult } from '../domain/template-sync.service';

/** Query of the list of templates. */
export class TemplateQueryDto extends PageQueryDto implements TemplateFilter {
  @ApiPropertyOptional({ description: 'Only templates in this state.', enum: TEMPLATE_STATUSES, example: 'Approved' })
  @IsOptional()
  @IsIn(TEMPLATE_STATUSES)
  status?: TemplateStatus;

  @ApiPropertyOptional({ description: 'Exact language code.', example: 'en_US' })
  @IsOptional()
  @IsString()
  @MaxLength(35)
  languageCode?: string;

  @ApiPropertyOptional({
    description: 'Only templates of this category.',
    enum: TEMPLATE_CATEGORIES,
    example: 'Utility',
  })
  @IsOptional()
  @IsIn(TEMPLATE_CATEGORIES)
  category?: TemplateCategory;

  @ApiPropertyOptional({
    description: 'Only templates whose name or body contains this text, ignoring case.',
    example: 'order',
  })
  @IsOptional()
  @IsString()
  @MaxLength(255)
  search?: string;
}

/** A button of a template. */
export class TemplateButtonDto {
  @ApiProperty({ description: 'What the button does.', enum: BUTTON_TYPES, example: 'Url' })
  type: ButtonType;

  @ApiProperty({ description: 'Label of the button.', example: 'Track' })
  text: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Address of a Url button.',
    example: 'https://example.com/{{1}}',
  })
  url: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Number of a PhoneNumber button.', example: null })
  phoneNumber: string | null;
}

/** A message template. */
export class TemplateDto {
  @ApiProperty({ description: 'Id of the template.', format: 'uuid', example: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11' })
  id: string;

  @ApiProperty({ description: 'Name of the template, used in sends.', example: 'order_update' })
  name: string;

  @ApiProperty({ description: 'Language; name and language together are unique.', example: 'en_US' })
  languageCode: string;

  @ApiProperty({ description: 'Category of the template.', enum: TEMPLATE_CATEGORIES, example: 'Utility' })
  category: TemplateCategory;

  @ApiProperty({ enum: TEMPLATE_STATUSES, description: 'Only Approved templates can be sent.', example: 'Approved' })
  status: TemplateStatus;

  @ApiProperty({
    description: "The platform's rating of recent feedback from recipients; null: not rated.",
    enum: QUALITY_RATINGS,
    nullable: true,
    example: 'Green',
  })
  qualityRating: QualityRating | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: "The platform's code for the rejection reason.",
    example: null,
  })
  rejectionReason: string | null;

  @ApiProperty({
    description: 'Whether the placeholders of the body are numbered or named.',
    enum: PARAMETER_FORMATS,
    example: 'Positional',
  })
  parameterFormat: ParameterFormat;

  @ApiProperty({ description: 'Format of the header.', enum: HEADER_FORMATS, example: 'None' })
  headerFormat: HeaderFormat;

  @ApiProperty({ description: 'Text of a Text header.', type: String, nullable: true, example: null })
  headerText: string | null;

  @ApiProperty({
    description: 'The text, with its placeholders.',
    example: 'Hello {{1}}, your order {{2}} is on its way.',
  })
  bodyText: string;

  @ApiProperty({ description: 'The footer.', type: String, nullable: true, example: null })
  footerText: string | null;

  @ApiProperty({ description: 'The buttons, in order.', type: [TemplateButtonDto] })
  buttons: TemplateButtonDto[];

  @ApiProperty({
    type: 'integer',
    description: 'Number of values a send needs: for header, body and buttons, in this order.',
    example: 2,
  })
  parameterCount: number;

  @ApiProperty({
    description: "The platform's id; null until the template is submitted.",
    type: String,
    nullable: true,
    example: '771000000000001',
  })
  platformTemplateId: string | null;

  @ApiProperty({
    description: 'When the template was added to this service.',
    format: 'date-time',
    example: '2026-01-15T09:30:00.000Z',
  })
  createdAt: string;

  @ApiProperty({
    description: 'When the template last changed in this service.',
    format: 'date-time',
    example: '2026-01-15T09:30:00.000Z',
  })
  updatedAt: string;

  @ApiProperty({
    description: "When the template was last in the platform's list; null: never.",
    type: String,
    format: 'date-time',
    nullable: true,
    example: '2026-01-15T09:45:00.000Z',
  })
  lastSyncedAt: string | null;

  /** Converts a template. */
  static from(template: Template): TemplateDto {
    const { components } = template;
    return {
      id: template.id,
      name: template.name,
      languageCode: template.languageCode,
      category: template.category,
      status: template.status,
      qualityRating: template.qualityRating,
      rejectionReason: template.rejectionReason,
      parameterFormat: components.parameterFormat,
      headerFormat: components.headerFormat,
      headerText: components.headerText,
      bodyText: components.bodyText,
      footerText: components.footerText,
      buttons: components.buttons.map(({ type, text, url, phoneNumber }) => ({ type, text, url, phoneNumber })),
      parameterCount: new SendableTemplate(template).valueCount,
      platformTemplateId: template.platformTemplateId,
      createdAt: template.createdAt.toISOString(),
      updatedAt: template.updatedAt.toISOString(),
      lastSyncedAt: template.lastSyncedAt?.toISOString() ?? null,
    };
  }
}

/** An entry or page of the platform's list that could not be read. */
export class SyncFailureDto {
  @ApiProperty({
    description: 'Name of the template, if it could be read.',
    type: String,
    nullable: true,
    example: 'order_update',
  })
  name: string | null;

  @ApiProperty({
    description: 'Language of the template, if it could be read.',
    type: String,
    nullable: true,
    example: 'en_US',
  })
  languageCode: string | null;

  @ApiProperty({ description: 'Why it could not be read.', example: 'unknown status FROZEN' })
  reason: string;
}

/** The result of a sync. */
export class SyncResultDto {
  @ApiProperty({ type: 'integer', description: 'New templates.', example: 3 })
  added: number;

  @ApiProperty({ type: 'integer', description: 'Templates that changed.', example: 1 })
  updated: number;

  @ApiProperty({
    type: 'integer',
    description: 'Templates that no longer exist on the platform and are now Deleted.',
    example: 0,
  })
  removed: number;

  @ApiProperty({ type: 'integer', description: 'Templates that did not change.', example: 15 })
  unchanged: number;

  @ApiProperty({ description: 'Entries and pages that could not be read.', type: [SyncFailureDto] })
  failed: SyncFailureDto[];

  @ApiProperty({ description: 'false if a page could not be read; then nothing was removed.', example: true })
  complete: boolean;

  @ApiProperty({ description: 'When the sync began.', format: 'date-time', example: '2026-01-15T09:45:00.000Z' })
  startedAt: string;

  @ApiProperty({ description: 'When the sync ended.', format: 'date-time', example: '2026-01-15T09:45:01.000Z' })
  finishedAt: string;

  /** Converts a result. */
  static from(result: SyncResult): SyncResultDto {
    return { ...result, startedAt: result.startedAt.toISOString(), finishedAt: result.finishedAt.toISOString() };
  }
}
