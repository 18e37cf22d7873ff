import type { Caller } from '../../../kernel/caller';
import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { API_PREFIX } from '../../../infra/http/api-prefix';
import {
  IsLanguageCode,
  IsReference,
  IsTemplateName,
  IsValidForSeconds,
  MAX_VALID_SECONDS,
} from '../../sending/adapters/message-fields.dto';
import { jsonFingerprint } from '../../../infra/http/idempotency/idempotent.decorator';
import type { Upload } from '../../../infra/http/uploads/file-upload.decorator';
import {
  DryRunField,
  EmptyIsAbsent,
  HasHeaderField,
  JsonInText,
  NumberInText,
} from '../../../infra/http/uploads/upload-fields.decorators';
import type { TableFormat } from '../../../infra/http/table-file';
import { BadRowsField, BadRowsLanguageField, checkBadRows } from '../../recipient-files/adapters/bad-rows.dto';
import { ColumnsField, requestedColumns } from '../../recipient-files/adapters/file-columns.dto';
import {
  CellLanguageField,
  HeaderRowField,
  type ListPlace,
  placeOf,
  SheetField,
} from '../../recipient-files/adapters/list-place.dto';
import { ON_DUPLICATES, type OnDuplicates } from '../../recipient-files/domain/file-rows';
import type { ReportLanguage } from '../../../infra/http/reasons';
import { ImportCountryField } from '../../../infra/http/validation/default-country.decorator';
import { BULK_JOB_STATUSES, type BulkJobStatus } from '../domain/bulk-job';
import type { RequestedColumns } from '../domain/file-columns';
import { extrasOf } from '../../templates/domain/template-extras';
import {
  ButtonProductsDto,
  CardExtrasDto,
  FlowInputDto,
  HeaderLocationDto,
  ProductDto,
  TapTargetDto,
  TemplateExtrasDto,
} from '../../templates/adapters/template-extras.dto';
import { SenderIdField } from '../../accounts/adapters/account-senders.dto';
import type { CreatedJob } from '../domain/job-intake';
import type { JobRequest } from '../domain/job-intakes';
import type { Exclusions } from '../domain/left-out-people';
import { FileColumnsDto } from './file-columns.dto';
import { distinct, distinctJobs, GroupIdsField, NotReachedByField } from './job-audience.dto';
import { JobNameField } from './job-name.dto';
import { ScheduledAtField, SendWindowDto, SendWindowField, timingOf, TimeZoneField } from './job-timing.dto';

const DEFAULT_LANGUAGE = 'en_US';

const SCHEDULED_AT =
  'When the job starts, up to one year ahead; until then it is `Scheduled`. Its recipients are fixed by this request.';

/** Documentation of `hold`. */
export const HOLD = {
  description: '`true`: the job is created `Paused` (`pauseReason.code` is `held`) for review; `resume` starts it.',
};

/** What happens to repeated recipients. */
export const OnDuplicatesField = () =>
  applyDecorators(
    ApiPropertyOptional({
      description:
        '`skip`: a repeated person with the same values is dropped and counted. `onePerPerson`: with other values too, so everybody ' +
        'gets at most one message, that of the first valid row. `keep`: all are sent.',
      enum: ON_DUPLICATES,
      default: 'skip',
      example: 'skip',
    }),
    IsOptional(),
    IsIn(ON_DUPLICATES),
  );

/** The fields of all bulk sends. */
export abstract class BulkSendDto extends TemplateExtrasDto {
  @ApiProperty({ description: 'Exact name of the approved template.', example: 'order_update' })
  @IsTemplateName()
  templateName: string;

  @ApiPropertyOptional({ description: 'Language of the template.', default: DEFAULT_LANGUAGE, example: 'en_US' })
  @IsOptional()
  @IsLanguageCode()
  languageCode?: string;

  @SenderIdField('The sender of the job; absent: the default sender of the account.')
  senderId?: string;

  @JobNameField('Name of the job, for people; `GET /bulk-jobs?search=` finds it.')
  name?: string;

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
    maximum: MAX_VALID_SECONDS,
    example: 86_400,
  })
  @IsOptional()
  @IsValidForSeconds()
  validForSeconds?: number;

  @ScheduledAtField(SCHEDULED_AT)
  scheduledAt?: string;

  @TimeZoneField()
  timeZone?: string;

  @SendWindowField('Hours of the day in which the job sends; outside them it waits.')
  sendWindow?: SendWindowDto;

  @GroupIdsField('Groups whose contacts are left out.', 0)
  excludeGroupIds?: string[];

  @NotReachedByField()
  notReachedBy?: string | string[];
}

/** The fields of an upload other than the file; form fields are text. */
@ApiExtraModels(FileColumnsDto)
export class BulkImportDto extends BulkSendDto implements ListPlace {
  @HasHeaderField()
  hasHeader: 'auto' | 'true' | 'false' = 'auto';

  @SheetField()
  sheet?: string;

  @HeaderRowField()
  headerRow?: number;

  @CellLanguageField()
  cellLanguage?: string;

  @ApiPropertyOptional({
    description:
      '`skip`: invalid rows become failed recipients with an error code. `reject`: one invalid row rejects the file.',
    enum: ['skip', 'reject'],
    default: 'skip',
  })
  @IsOptional()
  @IsIn(['skip', 'reject'])
  onInvalidRows: 'skip' | 'reject' = 'skip';

  @OnDuplicatesField()
  onDuplicates: OnDuplicates = 'skip';

  @EmptyIsAbsent()
  @ImportCountryField()
  defaultCountry?: string;

  @ColumnsField(
    FileColumnsDto,
    'Columns by name, as JSON: each is a header of the file (case-insensitive) or the letter of a column; other columns are ' +
      'kept for the report. Absent: the first column contains phone numbers, each further column the values of the next placeholder. ' +
      '`auto`, only with `dryRun=true`: returns `suggestedColumns`.',
    { phone: 'Mobile', values: ['First name', 'Order'] },
  )
  columns?: FileColumnsDto | 'auto';

  @DryRunField()
  dryRun: 'true' | 'false' = 'false';

  @BadRowsField()
  badRows?: TableFormat;

  @BadRowsLanguageField()
  badRowsLanguage?: ReportLanguage;

  @EmptyIsAbsent()
  declare languageCode?: string;

  @EmptyIsAbsent()
  declare name?: string;

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

  @EmptyIsAbsent()
  declare timeZone?: string;

  @JsonInText(SendWindowDto)
  declare sendWindow?: SendWindowDto;

  @JsonInText(undefined, { isList: true })
  declare excludeGroupIds?: string[];

  @JsonInText(undefined, { isList: true })
  declare notReachedBy?: string[];

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

  @JsonInText(ProductDto)
  declare headerProduct?: ProductDto;

  @JsonInText(FlowInputDto)
  declare flow?: FlowInputDto;

  @JsonInText(ButtonProductsDto)
  declare products?: ButtonProductsDto;

  @EmptyIsAbsent()
  declare offerExpiresAt?: string;

  @JsonInText(TapTargetDto)
  declare tapTarget?: TapTargetDto;

  @JsonInText(CardExtrasDto)
  declare cards?: CardExtrasDto[];
}

/** An upload in the OpenAPI document: these fields and the file. */
export class BulkImportFormDto extends BulkImportDto {
  @ApiProperty({
    type: 'string',
    format: 'binary',
    description:
      'Excel (.xlsx, .xls) or CSV; the type is detected from the content. Without `columns`, the first column contains phone numbers, each further column the values of the next placeholder.',
  })
  file: unknown;
}

/** Converts an upload to a request; throws ValidationFailedError for `columns=auto` and `badRows` without a dry run, and `headerRow` without a header. */
export function fileImportOf(body: BulkImportDto, { path, fileName, sha256 }: Upload) {
  const { onInvalidRows, onDuplicates, dryRun } = body;
  checkBadRows(body);
  const columns = requestedColumns<RequestedColumns>(body.columns, dryRun === 'true');
  const uploadHash = jsonFingerprint({ fields: { ...body, dryRun: undefined }, file: sha256 });
  return {
    ...sendOf(body),
    hold: body.hold === 'true',
    path,
    fileName,
    uploadHash,
    ...placeOf(body),
    ...(body.defaultCountry && { defaultCountry: body.defaultCountry }),
    onInvalidRows,
    onDuplicates,
    ...(columns && { columns }),
  };
}

/** The common part of all requests. */
export function sendOf(
  request: BulkSendDto,
): Omit<JobRequest, keyof Caller | 'claim' | 'signal' | 'hold'> & Exclusions {
  return {
    ...timingOf(request),
    senderId: request.senderId ?? undefined,
    templateName: request.templateName,
    languageCode: request.languageCode ?? DEFAULT_LANGUAGE,
    name: request.name ?? null,
    reference: request.reference ?? null,
    validForSeconds: request.validForSeconds ?? null,
    extras: extrasOf(request),
    excludeGroupIds: distinct(request.excludeGroupIds ?? []),
    notReachedBy: distinctJobs(request.notReachedBy ?? []),
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
