import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { type ClassConstructor, plainToInstance, Transform } from 'class-transformer';
import { IsBoolean, IsIn, isObject, IsObject, IsOptional, IsUUID } from 'class-validator';
import { API_PREFIX } from '../../../infra/http/api-prefix';
import { ValidationFailedError } from '../../../kernel/request.errors';
import {
  IsLanguageCode,
  IsFileName,
  IsMediaId,
  IsMediaUrl,
  IsReference,
  IsTemplateName,
  IsValidForSeconds,
  MOST_VALID_SECONDS,
} from '../../../infra/http/message-fields.decorators';
import { MayBeAbsent } from '../../../infra/http/may-be-absent.decorator';
import { jsonFingerprint } from '../../../infra/http/idempotency/idempotent.decorator';
import type { Upload } from '../../../infra/http/uploads/file-upload.decorator';
import { DryRunField, HasHeaderField } from '../../../infra/http/uploads/upload-fields.decorators';
import type { FieldError } from '../../../kernel/domain-error';
import { BULK_JOB_STATUSES, type BulkJobStatus } from '../domain/bulk-job';
import type { ValuesByNumber } from '../domain/contact-values';
import { extrasOf } from '../../templates/domain/template-extras';
import {
  HeaderLocationDto,
  HeaderLocationField,
  QuickReplyPayloadsField,
} from '../../templates/adapters/template-extras.dto';
import type { CreatedJob, JobRequest } from '../domain/job-intake';
import { ScheduledAtField, SendWindowDto, SendWindowField, timingOf } from './job-timing.dto';

const DEFAULT_LANGUAGE = 'en_US';
const VALUE_LENGTH = 1024;
const HEADER = { auto: 'auto', true: 'present', false: 'absent' } as const;

const HEADER_MEDIA_ID = {
  description: 'Platform media id, for a template with a media header; the same for all recipients.',
  example: '1013859600285441',
};
const HEADER_MEDIA_URL = {
  description: 'Public URL of the media, instead of `headerMediaId`.',
  example: 'https://example.com/spring.jpg',
};

const HEADER_MEDIA_FILE_NAME = {
  description:
    'Name of the document that the recipients see, for a template with a document header. Default: the last part of `headerMediaUrl`.',
  example: 'price-list.pdf',
  maxLength: 240,
};

const SCHEDULED_AT =
  'When the job starts, up to one year ahead; until then it is `Scheduled`. Its recipients are fixed by this request.';

const HOLD = {
  description: '`true`: the job is created `Paused` (`pauseReason.code` is `held`) for review; `resume` starts it.',
};

/** Forms send fields that were not filled in as empty texts. */
const EmptyIsAbsent = () => Transform(({ value }: { value: unknown }) => (value === '' ? undefined : value));

/** Form fields are text. Only digits are accepted as a number: Number() would accept '0x10' and '1e3' too. */
const NumberInText = () =>
  Transform(({ value }: { value: unknown }) => {
    if (value === '') return undefined;
    return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  });

/** An object in a form is its JSON text; what is none is refused as it stands. */
const JsonInText = (dto?: ClassConstructor<object>) =>
  Transform(({ value }: { value: unknown }) => {
    if (typeof value !== 'string') return value;
    try {
      const given = value === '' ? undefined : (JSON.parse(value) as unknown);
      return dto && isObject(given) ? plainToInstance(dto, given) : given;
    } catch {
      return value;
    }
  });

/** The fields of all bulk sends. */
abstract class BulkSendDto {
  @ApiProperty({ description: 'Exact name of the approved template.', example: 'order_update' })
  @IsTemplateName()
  templateName: string;

  @ApiPropertyOptional({ description: 'Language of the template.', default: DEFAULT_LANGUAGE, example: 'en_US' })
  @IsOptional()
  @IsLanguageCode()
  languageCode?: string;

  @ApiPropertyOptional({
    description: 'Your own reference for the job.',
    maxLength: 255,
    example: 'spring-sale',
  })
  @IsOptional()
  @IsReference()
  reference?: string;

  @ApiPropertyOptional({
    description:
      'Seconds after which sending ends, counted from the first moment the job may send; recipients still waiting ' +
      'then fail with `expired`.',
    type: 'integer',
    minimum: 1,
    maximum: MOST_VALID_SECONDS,
    example: 86_400,
  })
  @IsOptional()
  @IsValidForSeconds()
  validForSeconds?: number;

  @ScheduledAtField(SCHEDULED_AT)
  scheduledAt?: string;

  @SendWindowField('Hours of the day in which the job sends; outside them it waits.')
  sendWindow?: SendWindowDto;

  @ApiPropertyOptional(HEADER_MEDIA_ID)
  @IsOptional()
  @IsMediaId()
  headerMediaId?: string;

  @ApiPropertyOptional(HEADER_MEDIA_URL)
  @IsOptional()
  @IsMediaUrl()
  headerMediaUrl?: string;

  @ApiPropertyOptional(HEADER_MEDIA_FILE_NAME)
  @IsOptional()
  @IsFileName()
  headerMediaFileName?: string;

  @HeaderLocationField()
  headerLocation?: HeaderLocationDto;

  @QuickReplyPayloadsField()
  quickReplyPayloads?: Record<string, string>;
}

/** The fields of an upload beside its file; form fields are text. */
export class BulkImportDto extends BulkSendDto {
  @HasHeaderField()
  hasHeader: 'auto' | 'true' | 'false' = 'auto';

  @ApiPropertyOptional({
    description:
      '`skip`: invalid rows become failed recipients with an error code. `reject`: one invalid row rejects the file.',
    enum: ['skip', 'reject'],
    default: 'skip',
  })
  @IsOptional()
  @IsIn(['skip', 'reject'])
  onInvalidRows: 'skip' | 'reject' = 'skip';

  @ApiPropertyOptional({
    description: '`skip`: a repeated phone with the same values is dropped and counted. `keep`: it is sent again.',
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

  @ApiPropertyOptional({ ...HOLD, enum: ['true', 'false'], default: 'false' })
  @IsOptional()
  @IsIn(['true', 'false'])
  hold: 'true' | 'false' = 'false';

  @EmptyIsAbsent()
  declare scheduledAt?: string;

  @JsonInText(SendWindowDto)
  declare sendWindow?: SendWindowDto;

  @EmptyIsAbsent()
  declare headerMediaId?: string;

  @EmptyIsAbsent()
  declare headerMediaUrl?: string;

  @EmptyIsAbsent()
  declare headerMediaFileName?: string;

  @JsonInText(HeaderLocationDto)
  declare headerLocation?: HeaderLocationDto;

  @JsonInText()
  declare quickReplyPayloads?: Record<string, string>;
}

/** An upload in the OpenAPI document: these fields and the file. */
export class BulkImportFormDto extends BulkImportDto {
  @ApiProperty({
    type: 'string',
    format: 'binary',
    description:
      'Excel (.xlsx, .xls) or CSV; the type is detected from the content. First column: phone numbers. Each further column: the values of the next placeholder.',
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
    description: 'Default values by placeholder number, for contacts without a value.',
    type: 'object',
    additionalProperties: { type: 'string', minLength: 1, maxLength: VALUE_LENGTH },
    example: { '1': 'there', '2': '10 %' },
  })
  @IsOptional()
  @IsObject()
  parameterDefaults?: Record<string, unknown>;

  @ApiPropertyOptional({
    description: '`true`: only check. Returns 200 with a preview of the send.',
    default: false,
    example: false,
  })
  @MayBeAbsent()
  @IsBoolean()
  dryRun?: boolean;

  @ApiPropertyOptional({ ...HOLD, default: false, example: false })
  @MayBeAbsent()
  @IsBoolean()
  hold?: boolean;
}

/** Validates the defaults; throws ValidationFailedError for keys that are not placeholder numbers and values that are not texts. */
function readDefaults(given: Record<string, unknown> | undefined | null): ValuesByNumber {
  const entries = Object.entries(given ?? {});
  const errors = entries.flatMap(([key, value]) => errorOfDefault(key, value) ?? []);
  if (errors.length > 0) throw new ValidationFailedError(errors);
  return Object.fromEntries(entries) as ValuesByNumber;
}

function errorOfDefault(key: string, value: unknown): FieldError | null {
  const field = `parameterDefaults.${key}`;
  if (!/^[1-9]\d{0,2}$/.test(key)) {
    return {
      field,
      code: 'unknown_field',
      message: `${field} must be a placeholder number: "1", "2", ….`,
    };
  }
  if (typeof value !== 'string') return { field, code: 'wrong_type', message: `${field} must be a string.` };
  if (value.length <= VALUE_LENGTH) return null;
  return { field, code: 'too_long', message: `${field} must have at most ${VALUE_LENGTH} characters.` };
}

/** Converts an upload to a request. */
export function fileImportOf(body: BulkImportDto, { path, fileName, sha256 }: Upload) {
  const { onInvalidRows, onDuplicates } = body;
  const uploadHash = jsonFingerprint({ fields: { ...body, dryRun: undefined }, file: sha256 });
  return {
    ...sendOf(body),
    hold: body.hold === 'true',
    path,
    fileName,
    uploadHash,
    header: HEADER[body.hasHeader],
    onInvalidRows,
    onDuplicates,
  };
}

/** Converts a group send to a request; throws ValidationFailedError for invalid defaults. */
export function groupSendOf(body: GroupSendDto) {
  const parameterDefaults = readDefaults(body.parameterDefaults);
  return { ...sendOf(body), hold: body.hold === true, groupId: body.groupId.toLowerCase(), parameterDefaults };
}

/** The common part of both requests. */
export function sendOf(
  request: BulkSendDto,
): Omit<JobRequest, 'claim' | 'accountId' | 'keyId' | 'plan' | 'signal' | 'hold'> {
  return {
    ...timingOf(request),
    templateName: request.templateName,
    languageCode: request.languageCode ?? DEFAULT_LANGUAGE,
    reference: request.reference ?? null,
    validForSeconds: request.validForSeconds ?? null,
    extras: extrasOf(request),
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
    description: 'All recipients, including invalid rows and excluding duplicates.',
    example: 100000,
  })
  totalRecipients: number;

  @ApiProperty({
    type: 'integer',
    description: 'Invalid recipients, which count as failed.',
    example: 12,
  })
  invalidRows: number;

  @ApiProperty({ type: 'integer', description: 'Rows dropped as duplicates.', example: 3 })
  duplicateRows: number;

  @ApiProperty({
    description: "Path of the job's progress, also in the header `Location`.",
    example: '/api/v1/messaging/bulk-jobs/0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11/status',
  })
  statusUrl: string;

  @ApiProperty({ description: 'When the job was created.', format: 'date-time', example: '2026-01-15T09:30:00.000Z' })
  createdAt: string;

  @ApiProperty({
    description:
      'Corrections that were made while reading the rows; `duplicate_upload: …` with the id of the job created from ' +
      'the same file and fields within the last 24 hours, if the request has no `Idempotency-Key`.',
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
    description: 'The target group.',
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
