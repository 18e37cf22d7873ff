import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsNotEmpty, IsOptional, IsString, IsUUID, Matches, MaxLength } from 'class-validator';
import { CursorQueryDto, PageQueryDto } from '../../../infra/http/lists/page.dto';
import {
  ErrorCodesFilter,
  PhoneFilter,
  UserIdFilter,
  ReferenceFilter,
  TimeFilter,
} from '../../../infra/http/lists/list-filters.decorators';
import { IsPageCursor } from '../../../infra/http/lists/time-cursor.decorator';
import { BULK_JOB_KINDS, BULK_JOB_STATUSES, type BulkJobKind, type BulkJobStatus } from '../domain/bulk-job';
import type { BulkJobFilter } from '../domain/bulk-job-store.port';
import { JOB_NAME_LENGTH } from './job-name.dto';
import { RECIPIENT_STATUSES, type RecipientStatus } from '../domain/job-recipient';

/** Filter of a list of jobs. */
export class BulkJobsQueryDto extends PageQueryDto {
  @IsPageCursor()
  cursor?: string;

  @ApiPropertyOptional({ description: 'Only jobs in this state.', enum: BULK_JOB_STATUSES, example: 'Processing' })
  @IsOptional()
  @IsIn(BULK_JOB_STATUSES)
  status?: BulkJobStatus;

  @ApiPropertyOptional({ description: 'Only jobs of this type.', enum: BULK_JOB_KINDS, example: 'Import' })
  @IsOptional()
  @IsIn(BULK_JOB_KINDS)
  kind?: BulkJobKind;

  @ReferenceFilter('jobs', 'spring-campaign')
  reference?: string;

  @ApiPropertyOptional({
    description: 'Only retries of this job.',
    format: 'uuid',
    example: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a13',
  })
  @IsOptional()
  @IsUUID()
  retryOf?: string;

  @ApiPropertyOptional({
    description: 'Only jobs whose `name` contains this text, in any case.',
    maxLength: JOB_NAME_LENGTH,
    example: 'spring',
  })
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(JOB_NAME_LENGTH)
  search?: string;

  @ApiPropertyOptional({
    description:
      '`true`: also `unknown`, `invalidRows`, `undelivered`, `delivered` and `read` of each job, if they are not 0.',
    enum: ['true', 'false'],
    example: 'true',
  })
  @IsOptional()
  @IsIn(['true', 'false'])
  counts?: 'true' | 'false';

  @TimeFilter('Created at this time or later.')
  createdAfter?: string;

  @TimeFilter('Created before this time.')
  createdBefore?: string;

  static filterOf(query: BulkJobsQueryDto): BulkJobFilter {
    return {
      status: query.status,
      kind: query.kind,
      reference: query.reference,
      retryOf: query.retryOf,
      search: query.search,
      createdAfter: query.createdAfter === undefined ? undefined : new Date(query.createdAfter),
      createdBefore: query.createdBefore === undefined ? undefined : new Date(query.createdBefore),
    };
  }
}

/** A filter by the state of recipients. */
export const StatusFilter = () =>
  applyDecorators(
    ApiPropertyOptional({ description: 'Only recipients in this state.', enum: RECIPIENT_STATUSES, example: 'Failed' }),
    IsOptional(),
    IsIn(RECIPIENT_STATUSES),
  );

/** Filter of a list of recipients. */
export class RecipientsQueryDto extends CursorQueryDto {
  @ApiPropertyOptional({ description: '`nextCursor` of the previous page; absent: the first page.', example: '50' })
  @IsOptional()
  @Matches(/^\d{1,9}$/, { message: '$property must be a nextCursor of this list' })
  declare cursor?: string;

  @StatusFilter()
  status?: RecipientStatus;

  @ErrorCodesFilter('recipients with this error code')
  errorCode?: string[];

  @PhoneFilter('recipients with this number')
  phone?: string;

  @UserIdFilter('the recipient with this user id')
  userId?: string;
}
