import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsNotEmpty, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { IsInstant } from '../../../infra/http/instant.decorator';
import { CursorQueryDto, PageQueryDto } from '../../../infra/http/page.dto';
import { PhoneFilter } from '../../../infra/http/phone-filter.decorator';
import { BULK_JOB_KINDS, BULK_JOB_STATUSES, type BulkJobKind, type BulkJobStatus } from '../domain/bulk-job';
import type { BulkJobFilter } from '../domain/bulk-job-store.port';
import { RECIPIENT_STATUSES, type RecipientStatus } from '../domain/job-recipient';

const TIME = { type: String, format: 'date-time', example: '2026-01-15T09:30:00.000Z' };

/** Filter of a list of jobs. */
export class BulkJobsQueryDto extends PageQueryDto {
  @ApiPropertyOptional({ description: 'Only jobs in this state.', enum: BULK_JOB_STATUSES, example: 'Processing' })
  @IsOptional()
  @IsIn(BULK_JOB_STATUSES)
  status?: BulkJobStatus;

  @ApiPropertyOptional({ description: 'Only jobs of this kind.', enum: BULK_JOB_KINDS, example: 'Import' })
  @IsOptional()
  @IsIn(BULK_JOB_KINDS)
  kind?: BulkJobKind;

  @ApiPropertyOptional({
    description: 'Only jobs with exactly this `reference`.',
    maxLength: 255,
    example: 'spring-campaign',
  })
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(255)
  reference?: string;

  @ApiPropertyOptional({ ...TIME, description: 'Created at this time or later.' })
  @IsOptional()
  @IsInstant()
  createdAfter?: string;

  @ApiPropertyOptional({ ...TIME, description: 'Created before this time.' })
  @IsOptional()
  @IsInstant()
  createdBefore?: string;

  static filterOf(query: BulkJobsQueryDto): BulkJobFilter {
    return {
      status: query.status,
      kind: query.kind,
      reference: query.reference,
      createdAfter: query.createdAfter === undefined ? undefined : new Date(query.createdAfter),
      createdBefore: query.createdBefore === undefined ? undefined : new Date(query.createdBefore),
    };
  }
}

/** Filter of a list of recipients. */
export class RecipientsQueryDto extends CursorQueryDto {
  @ApiPropertyOptional({ description: '`nextCursor` of the previous page; absent: the first page.', example: '50' })
  @IsOptional()
  @Matches(/^\d{1,9}$/, { message: '$property must be a nextCursor of this list' })
  declare cursor?: string;

  @ApiPropertyOptional({ description: 'Only recipients in this state.', enum: RECIPIENT_STATUSES, example: 'Failed' })
  @IsOptional()
  @IsIn(RECIPIENT_STATUSES)
  status?: RecipientStatus;

  @ApiPropertyOptional({ description: 'Only recipients with this error code.', example: 'recipient_unreachable' })
  @IsOptional()
  @Matches(/^[a-z0-9_]{1,64}$/, { message: '$property must be an error code in snake_case' })
  errorCode?: string;

  @PhoneFilter('recipients with this number')
  phone?: string;
}
