import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsIn, IsObject, IsOptional, IsUUID } from 'class-validator';
import { API_PREFIX } from '../../../infra/http/configure-http';
import { ValidationFailedError } from '../../../infra/http/http.errors';
import {
  IsLanguageCode,
  IsMediaId,
  IsMediaUrl,
  IsReference,
  IsTemplateName,
  IsValidForSeconds,
  MOST_VALID_SECONDS,
} from '../../../infra/http/message-fields.decorators';
import { DryRunField, HasHeaderField } from '../../../infra/http/uploads/upload-fields.decorators';
import { RowErrorDto } from '../../../infra/http/uploads/row-error.dto';
import { NotAvailableYet } from '../../../infra/http/not-available-yet.decorator';
import type { FieldFault } from '../../../kernel/domain-error';
import { BULK_JOB_STATUSES, type BulkJobStatus } from '../domain/bulk-job';
import type { ValuesByNumber } from '../domain/contact-values';
import type { FileCheck } from '../domain/file-imports.service';
import type { CreatedJob, JobRequest } from '../domain/job-source';

const DEFAULT_LANGUAGE = 'en_US';
const VALUE_LENGTH = 1024;

const HEADER_MEDIA_ID = {
  description: 'Media id from the platform, for a template with a media header; one for all recipients.',
  example: '1013859600285441',
};
const HEADER_MEDIA_URL = {
  description: 'Public URL of the media, instead of `headerMediaId`.',
  example: 'https://example.com/spring.jpg',
};

/** Forms send the fields that nobody filled in too, as empty ones. */
const EmptyIsAbsent = () => Transform(({ value }: { value: unknown }) => (value === '' ? undefined : value));

/** Parts of a form are text; only digits are a number, since Number() would take '0x10' and '1e3' too. */
const NumberInText = () =>
  Transform(({ value }: { value: unknown }) => {
    if (value === '') return undefined;
    return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  });

/** What both kinds of bulk sends take. */
abstract class BulkSendDto {
  @ApiProperty({ description: 'Exact name of the approved template.', example: 'order_update' })
  @IsTemplateName()
  templateName: string;

  @ApiPropertyOptional({ description: 'Language of the template.', default: DEFAULT_LANGUAGE, example: 'en_US' })
  @IsOptional()
  @IsLanguageCode()
  languageCode?: string;

  @ApiPropertyOptional({
    description: 'Your own mark on the job, shown again with it.',
    maxLength: 255,
    example: 'spring-sale',
  })
  @IsOptional()
  @IsReference()
  reference?: string;

  @ApiPropertyOptional({
    description: 'Seconds after which nobody is sent to any more: who still waits then fails with `expired`.',
    type: 'integer',
    minimum: 1,
    maximum: MOST_VALID_SECONDS,
    example: 86_400,
  })
  @IsOptional()
  @IsValidForSeconds()
  validForSeconds?: number;

  @NotAvailableYet('Leave it out: the job starts at once.')
  scheduledAt?: never;

  @ApiPropertyOptional(HEADER_MEDIA_ID)
  @IsOptional()
  @IsMediaId()
  headerMediaId?: string;

  @ApiPropertyOptional(HEADER_MEDIA_URL)
  @IsOptional()
  @IsMediaUrl()
  headerMediaUrl?: string;
}

/** Fields of an upload beside its file; as parts of a form all of them are text. */
export class BulkImportDto extends BulkSendDto {
  @HasHeaderField()
  hasHeader: 'auto' | 'true' | 'false' = 'auto';

  @ApiPropertyOptional({
    description: '`skip`: bad rows become failed recipients with a code. `reject`: one bad row refuses the file.',
    enum: ['skip', 'reject'],
    default: 'skip',
  })
  @IsOptional()
  @IsIn(['skip', 'reject'])
  onInvalidRows: 'skip' | 'reject' = 'skip';

  @ApiPropertyOptional({
    description: '`skip`: the same phone with the same values again is dropped and counted. `keep`: it is sent again.',
    enum: ['skip', 'keep'],
    default: 'skip',
  })
  @IsOptional()
  @IsIn(['skip', 'keep'])
  onDuplicates: 'skip' | 'keep' = 'skip';

  @DryRunField()
  dryRun: 'true' | 'false' = 'false';

  @EmptyIsAbsent()
  declare languageCode?: string;

  @EmptyIsAbsent()
  declare reference?: string;

  @NumberInText()
  declare validForSeconds?: number;

  @EmptyIsAbsent()
  declare scheduledAt?: never;

  // The documentation page fills forms in with the examples: a media that the template has no place for would be refused.
  @ApiPropertyOptional({ ...HEADER_MEDIA_ID, example: '' })
  @EmptyIsAbsent()
  declare headerMediaId?: string;

  @ApiPropertyOptional({ ...HEADER_MEDIA_URL, example: '' })
  @EmptyIsAbsent()
  declare headerMediaUrl?: string;
}

/** An upload as the OpenAPI document shows it: those fields and the file. */
export class BulkImportFormDto extends BulkImportDto {
  @ApiProperty({
    type: 'string',
    format: 'binary',
    description:
      'Excel (.xlsx, .xls) or CSV, told by its bytes. First column: phone numbers. Each later column: the value of the next placeholder.',
  })
  file: unknown;
}

/** Body of a send to a contact group. */
export class GroupSendDto extends BulkSendDto {
  @ApiProperty({
    format: 'uuid',
    description: 'Id of the contact group.',
    example: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a12',
  })
  @IsUUID('loose')
  groupId: string;

  @ApiPropertyOptional({
    description: 'Values for contacts that have none of their own, by the number of the placeholder.',
    type: 'object',
    additionalProperties: { type: 'string', minLength: 1, maxLength: VALUE_LENGTH },
    example: { '1': 'there', '2': '10 %' },
  })
  @IsOptional()
  @IsObject()
  parameterDefaults?: Record<string, unknown>;
}

/** Bodies that can be sent as they stand, once the group exists. */
export const GROUP_SEND_EXAMPLES = {
  withDefaults: {
    summary: 'Values for contacts that have none of their own',
    value: {
      groupId: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a12',
      templateName: 'order_update',
      languageCode: 'en_US',
      parameterDefaults: { '1': 'there', '2': 'A-1000' },
    },
  },
  media: {
    summary: 'A template with a media header',
    value: {
      groupId: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a12',
      templateName: 'summer_sale',
      languageCode: 'en_US',
      parameterDefaults: { '1': 'there' },
      headerMediaUrl: 'https://files.example.com/summer.png',
      reference: 'summer-sale',
    },
  },
};

/** The defaults, checked; throws ValidationFailedError for keys that are no number of a placeholder and values that are no text. */
export function readDefaults(given: Record<string, unknown> | undefined | null): ValuesByNumber {
  const entries = Object.entries(given ?? {});
  const faults = entries.flatMap(([key, value]) => faultOfDefault(key, value) ?? []);
  if (faults.length > 0) throw new ValidationFailedError(faults);
  return Object.fromEntries(entries) as ValuesByNumber;
}

function faultOfDefault(key: string, value: unknown): FieldFault | null {
  const field = `parameterDefaults.${key}`;
  if (!/^[1-9]\d{0,2}$/.test(key)) {
    return {
      field,
      code: 'unknown_field',
      message: `${field} must be named "1", "2", …, by the number of the placeholder.`,
    };
  }
  if (typeof value !== 'string') return { field, code: 'wrong_type', message: `${field} must be a string.` };
  if (value.length <= VALUE_LENGTH) return null;
  return { field, code: 'too_long', message: `${field} must have at most ${VALUE_LENGTH} characters.` };
}

/** What both kinds of bulk sends ask for; header media as it was given, even when it was given twice. */
export function sendOf(
  request: BulkSendDto,
): Pick<JobRequest, 'templateName' | 'languageCode' | 'reference' | 'validForSeconds' | 'headerMedia'> {
  const id = request.headerMediaId ?? undefined;
  const link = request.headerMediaUrl ?? undefined;
  return {
    templateName: request.templateName,
    languageCode: request.languageCode ?? DEFAULT_LANGUAGE,
    reference: request.reference ?? null,
    validForSeconds: request.validForSeconds ?? null,
    headerMedia: id === undefined && link === undefined ? null : { id, link },
  };
}

/** A job that was created from a file. */
export class CreatedJobDto {
  @ApiProperty({ description: 'Id of the job.', format: 'uuid', example: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11' })
  jobId: string;

  @ApiProperty({ description: 'State of the job.', enum: BULK_JOB_STATUSES, example: 'Queued' })
  status: BulkJobStatus;

  @ApiProperty({
    type: 'integer',
    description: 'All recipients, invalid rows included, duplicates not.',
    example: 100000,
  })
  totalRecipients: number;

  @ApiProperty({
    type: 'integer',
    description: 'Recipients that cannot be sent to: they count as failed.',
    example: 12,
  })
  invalidRows: number;

  @ApiProperty({ type: 'integer', description: 'Rows that were dropped as duplicates.', example: 3 })
  duplicateRows: number;

  @ApiProperty({
    description: 'Path where the progress can be read, also in the header `Location`.',
    example: '/api/v1/messaging/bulk-jobs/0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11/status',
  })
  statusUrl: string;

  @ApiProperty({ description: 'When the job was created.', format: 'date-time', example: '2026-01-15T09:30:00.000Z' })
  createdAt: string;

  @ApiProperty({
    description: 'What was changed in the rows to make them fit.',
    type: [String],
    example: ['In 4 rows line breaks were replaced by a space.'],
  })
  warnings: string[];

  static from({ job, warnings }: CreatedJob): CreatedJobDto {
    return {
      jobId: job.id,
      status: job.status,
      totalRecipients: job.totalRecipients,
      invalidRows: job.invalidRows,
      duplicateRows: job.duplicateRows,
      statusUrl: `/${API_PREFIX}/bulk-jobs/${job.id}/status`,
      createdAt: job.createdAt.toISOString(),
      warnings,
    };
  }
}

/** A job that was created for a contact group. */
export class CreatedGroupJobDto extends CreatedJobDto {
  @ApiProperty({
    description: 'The group that is sent to.',
    type: String,
    nullable: true,
    format: 'uuid',
    example: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a12',
  })
  groupId: string | null;

  static override from(created: CreatedJob): CreatedGroupJobDto {
    return { ...super.from(created), groupId: created.job.groupId };
  }
}

/** What an upload would become; nothing was created. */
export class FileCheckDto implements FileCheck {
  @ApiProperty({
    description: 'All recipients, invalid rows included, duplicates not.',
    type: 'integer',
    example: 100000,
  })
  totalRecipients: number;

  @ApiProperty({ description: 'Rows that could not be sent to.', type: 'integer', example: 12 })
  invalidRows: number;

  @ApiProperty({ description: 'Rows that would be dropped as duplicates.', type: 'integer', example: 3 })
  duplicateRows: number;

  @ApiProperty({ description: 'What was changed in the rows to make them fit.', type: [String], example: [] })
  warnings: string[];

  @ApiProperty({ type: [RowErrorDto], description: 'The first 100.' })
  errors: RowErrorDto[];
}
