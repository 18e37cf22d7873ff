import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsBoolean, IsIn, IsOptional } from 'class-validator';
import { MayBeAbsent } from '../../../infra/http/validation/may-be-absent.decorator';
import { MESSAGE_CODES } from '../../../infra/http/errors/message-codes';
import type { CreatedJob } from '../domain/job-intake';
import type { ErrorCount, RetryCheck } from '../domain/job-retries.service';
import { SenderIdField } from '../../accounts/adapters/account-senders.dto';
import { RETRY_SCOPES, type RetryScope } from '../domain/retry-selection';
import { CreatedJobDto } from './bulk-sends.dto';
import { JobNameField } from './job-name.dto';

const MAX_ERROR_CODES = 100;

/** Selects the recipients to retry. */
export class RetryJobDto {
  @ApiPropertyOptional({
    description:
      '`failed`: recipients that failed or were cancelled. `undelivered`: recipients whose message the platform ' +
      'accepted and later reported as failed. `unknown`: recipients for whom it is unknown whether the platform ' +
      'accepted the message; some may get it twice. `all`: all of these.',
    enum: RETRY_SCOPES,
    default: 'failed',
    example: 'failed',
  })
  @IsOptional()
  @IsIn(RETRY_SCOPES)
  scope: RetryScope | null = 'failed';

  @ApiPropertyOptional({
    description:
      'Only recipients with one of these error codes; absent or empty: any code. Recipients that cannot be retried, ' +
      'such as those with `phone_invalid` or `opted_out`, are never included.',
    enum: [...MESSAGE_CODES],
    isArray: true,
    maxItems: MAX_ERROR_CODES,
    example: ['platform_rejected', 'expired'],
  })
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_ERROR_CODES)
  @IsIn(MESSAGE_CODES, {
    each: true,
    message: 'each of $property must be an error code of recipients',
  })
  errorCodes: string[] | null = [];

  @ApiPropertyOptional({
    type: 'boolean',
    description:
      '`true`: leave out people whom another retry of this job, or of the job that it retries, reached or may still reach.',
    default: false,
    example: true,
  })
  @IsOptional()
  @IsBoolean()
  skipRetried?: boolean | null;

  @JobNameField('Name of the new job; absent: that of the old one.')
  name?: string;

  @SenderIdField('The sender of the new job; absent: that of the old one.')
  senderId?: string;

  @ApiPropertyOptional({
    description: '`true`: only check. Returns 200 with the recipients the retry would reach.',
    default: false,
    example: false,
  })
  @MayBeAbsent()
  @IsBoolean()
  dryRun?: boolean;
}

/** Example bodies of the API reference. */
export const RETRY_EXAMPLES = {
  check: { summary: 'Only count the recipients', value: { dryRun: true } },
  codes: { summary: 'Recipients with these errors', value: { errorCodes: ['recipient_unreachable', 'expired'] } },
  all: { summary: 'All failed recipients', value: { scope: 'failed' } },
};

/** How many recipients have one error code. */
export class ErrorCodeCountDto implements ErrorCount {
  @ApiProperty({ description: 'Stable error code.', example: 'recipient_unreachable' })
  errorCode: string;

  @ApiProperty({ type: 'integer', description: 'Number of recipients with this code.', example: 12 })
  count: number;
}

/** Preview of a retry; nothing is created. */
export class RetryCheckDto implements RetryCheck {
  @ApiProperty({
    type: 'integer',
    description: '`totalRecipients` of the new job. If 0, a retry is refused with `nothing_to_retry`.',
    example: 12,
  })
  recipients: number;

  @ApiProperty({ type: [ErrorCodeCountDto], description: 'These recipients by error code, most frequent first.' })
  byErrorCode: ErrorCodeCountDto[];

  @ApiProperty({
    type: [ErrorCodeCountDto],
    description:
      'Recipients of the scope that cannot be retried, most frequent code first: invalid rows, opted-out people, and ' +
      'people who have been or are being erased (`recipient_erased`). Recipients in flight are not counted.',
  })
  unreachable: ErrorCodeCountDto[];

  @ApiPropertyOptional({
    type: 'integer',
    description: 'Recipients of the scope left out by `skipRetried`; absent without it.',
    example: 3,
  })
  leftOut?: number;

  @ApiProperty({
    description:
      '`already_retried: …` with the id of another job that retries recipients of this selection, if it is unfinished or has sent messages.',
    type: [String],
    example: [],
  })
  warnings: string[];
}

/** A job that retries recipients of another one. */
export class CreatedRetryDto extends CreatedJobDto {
  @ApiProperty({
    description: 'The job to retry; it does not change.',
    type: String,
    nullable: true,
    format: 'uuid',
    example: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a13',
  })
  retryOf: string | null;

  @ApiProperty({
    description:
      'Recipients that were left out, by reason. `already_retried: …` with the id of another job that retries some of the same recipients, if it is unfinished or has sent messages.',
    type: [String],
    example: ['2 recipients were left out: they are invalid.'],
  })
  declare warnings: string[];

  static override from(created: CreatedJob): CreatedRetryDto {
    return { ...super.from(created), retryOf: created.job.retryOf };
  }
}
