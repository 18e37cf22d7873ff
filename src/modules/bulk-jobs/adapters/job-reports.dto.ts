import { ApiProperty, ApiPropertyOptional, type ApiResponseOptions } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { FIRST_ROWS, type JobFailure } from '../domain/job-failures';
import type { CountedFailures } from '../domain/job-reports.service';
import { ErrorCodesFilter } from '../../../infra/http/lists/list-filters.decorators';
import type { RecipientStatus } from '../domain/job-recipient';
import { StatusFilter } from './bulk-jobs.query.dto';
import { IsTimeZone } from './job-timing.dto';
import { TABLE_FORMATS, TABLE_TYPES, type TableFormat } from '../../../infra/http/table-file';
import { REPORT_LANGUAGES, type ReportLanguage } from '../../../infra/http/reasons';
import { REPORT_DELIMITERS, REPORT_LAYOUTS, type ReportDelimiter, type ReportLayout } from './job-report-file';

/** One reason for which recipients of a job failed. */
export class JobFailureDto implements JobFailure {
  @ApiProperty({ description: 'Stable error code.', example: 'recipient_unreachable' })
  errorCode: string;

  @ApiProperty({
    description: 'Error message of the first of these recipients.',
    example: 'The recipient is not on the platform, has an outdated app or has not accepted the terms.',
  })
  message: string;

  @ApiProperty({ type: 'integer', nullable: true, description: "The platform's error code.", example: 131026 })
  platformCode: number | null;

  @ApiProperty({
    type: 'integer',
    description: "Recipients whose message the platform did not accept; part of the job's `failed`.",
    example: 41,
  })
  failed: number;

  @ApiProperty({
    type: 'integer',
    description:
      "Recipients whose message the platform accepted and later reported as failed; part of the job's `undelivered`.",
    example: 7,
  })
  undelivered: number;

  @ApiProperty({
    description: 'Whether `POST /bulk-jobs/{jobId}/retry` can reach any of them after the job has ended.',
    example: true,
  })
  retryable: boolean;

  @ApiProperty({
    description: `The first rows with this reason, at most ${FIRST_ROWS}; \`GET /bulk-jobs/{jobId}/recipients\` with \`errorCode\` lists all.`,
    type: 'array',
    items: { type: 'integer' },
    example: [17, 204, 377],
  })
  firstRows: number[];
}

/** Why recipients of a job failed. */
export class JobFailuresDto {
  @ApiProperty({ type: [JobFailureDto], description: 'One entry per reason, most frequent first.' })
  items: JobFailureDto[];

  @ApiProperty({
    description: 'Time of the count.',
    type: String,
    format: 'date-time',
    example: '2026-01-15T09:30:00.000Z',
  })
  countedAt: string;

  static from({ items, countedAt }: CountedFailures): JobFailuresDto {
    return { items, countedAt: countedAt.toISOString() };
  }
}

/** Format and filter of a report. */
export class JobReportQueryDto {
  @ApiPropertyOptional({ description: 'File format.', enum: TABLE_FORMATS, default: 'csv', example: 'csv' })
  @IsOptional()
  @IsIn(TABLE_FORMATS)
  format: TableFormat = 'csv';

  @ApiPropertyOptional({
    description:
      '`sheet`: the columns of the uploaded file in their order, under their headers, then those of the outcome; for a job without a file as ' +
      '`standard`. `standard`: row number, phone and values. Default: `sheet` for jobs created with `columns`, otherwise `standard`.',
    enum: REPORT_LAYOUTS,
    example: 'standard',
  })
  @IsOptional()
  @IsIn(REPORT_LAYOUTS)
  layout?: ReportLayout;

  @ApiPropertyOptional({
    description:
      'Delimiter of a CSV file. `sheet`: that of the uploaded CSV file, so that the same program opens both; for other jobs a comma, or with ' +
      '`language=de` a semicolon.',
    enum: REPORT_DELIMITERS,
    default: 'comma',
    example: 'comma',
  })
  @IsOptional()
  @IsIn(REPORT_DELIMITERS)
  delimiter?: ReportDelimiter;

  @ApiPropertyOptional({
    description:
      'Writes the times as local times such as 2026-01-15 10:30:00; the header names the time zone. Default: ISO 8601 in UTC.',
    example: 'Europe/Berlin',
  })
  @IsOptional()
  @IsTimeZone()
  timeZone?: string;

  @ApiPropertyOptional({
    description:
      'Writes the columns of the outcome, states and reasons in words of this language, as the console does, and the row number first. Times ' +
      'in `timeZone` are dates of the spreadsheet in an xlsx file. Default: names of fields and codes, for programs.',
    enum: REPORT_LANGUAGES,
    example: 'en',
  })
  @IsOptional()
  @IsIn(REPORT_LANGUAGES)
  language?: ReportLanguage;

  @StatusFilter()
  status?: RecipientStatus;

  @ErrorCodesFilter('recipients with this error code')
  errorCode?: string[];
}

const BINARY = { type: 'string', format: 'binary' } as const;

/** The answer of a report in both formats, for the OpenAPI document. */
export const REPORT_ANSWER: ApiResponseOptions = {
  description:
    'The file, as an attachment named after the job, or `report-{jobId}` without a name: `rowNumber`, `phone` (the user id of a recipient without one), `userId` if a recipient has one, a column for each ' +
    'value of the template and for each other field that recipients have of their own (`reference`, `headerMediaUrl`, `quickReplyPayloads.0`, ' +
    '`cards[0].headerMediaUrl`, …), `status`, `errorCode`, `errorMessage`, `platformCode`, `messageId`, `sentAt`, `deliveredAt`, `readAt`, ' +
    '`updatedAt`. With the layout `sheet` the columns of the uploaded file take the place of those before `status`. CSV is ' +
    'UTF-8 with a byte order mark, every cell quoted; text that a spreadsheet would evaluate as a formula is prefixed ' +
    'with an apostrophe. In xlsx all cells except row numbers and platform codes are text, and the header is bold and frozen; after 1,048,576 rows a new ' +
    'sheet starts.',
  content: {
    [TABLE_TYPES.csv]: {
      schema: BINARY,
      example:
        '"rowNumber","phone","value 1 (body {{1}})","status","errorCode","errorMessage","platformCode","messageId","sentAt","deliveredAt","readAt","updatedAt"\r\n',
    },
    [TABLE_TYPES.xlsx]: { schema: BINARY, example: 'the bytes of the file' },
  },
};
