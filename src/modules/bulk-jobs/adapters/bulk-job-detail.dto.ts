import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { SENDER_ID } from '../../accounts/adapters/account-senders.dto';
import { ActingKeyDto } from '../../../infra/http/access/acting-key.dto';
import { REQUEST_ID, shownOrigin, TRACE_ID } from '../../../infra/http/request-origin';
import { allowedActions, JOB_ACTIONS, type JobAction } from '../domain/bulk-job';
import type { JobDetail } from '../domain/bulk-jobs.service';
import { MOST_RECIPIENTS } from '../domain/opted-out-recipients';
import { BulkJobDto, TIME } from './bulk-jobs.dto';
import { JobAudienceDto } from './job-audience.dto';
import { SendWindowDto } from './job-timing.dto';
import { BulkJobErrorDto, PauseReasonDto } from './job-waits.dto';

/** All details of one job. */
export class BulkJobDetailDto extends BulkJobDto {
  @ApiPropertyOptional({ ...SENDER_ID, description: 'The sender of the job; present if the account has several.' })
  senderId?: string;

  @ApiProperty({ type: String, nullable: true, description: 'Name of the imported file.', example: 'customers.xlsx' })
  fileName: string | null;

  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'Group of a group send to one group.',
    example: null,
  })
  groupId: string | null;

  @ApiPropertyOptional({
    type: JobAudienceDto,
    description: 'Whom the job addressed; absent: everyone in a file or list.',
  })
  audience?: JobAudienceDto;

  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'The job whose recipients this one retries.',
    example: null,
  })
  retryOf: string | null;

  @ApiProperty({
    ...TIME,
    nullable: true,
    description: 'Scheduled start of the job; null: it started immediately.',
    example: null,
  })
  scheduledAt: string | null;

  @ApiPropertyOptional({
    ...TIME,
    description: 'When it may first send, by schedule and send window; absent without a schedule ahead.',
  })
  startsAt?: string;

  @ApiProperty({
    type: SendWindowDto,
    nullable: true,
    description: 'Hours of the day in which the job sends; null: all.',
  })
  sendWindow: SendWindowDto | null;

  @ApiProperty({
    ...TIME,
    nullable: true,
    example: '2026-01-16T09:30:00.000Z',
    description:
      'Recipients not sent to by then fail with `expired`; null: no limit, or the job is on hold and the limit counts ' +
      'from its start.',
  })
  validUntil: string | null;

  @ApiProperty({
    type: 'integer',
    description:
      'Recipients without a final outcome, including `unknown` ones that may still be settled: `totalRecipients` ' +
      'minus `successfullySent` and `failed`.',
    example: 175,
  })
  pending: number;

  @ApiProperty({
    type: 'integer',
    required: true,
    description: 'Delivered, as reported by the platform.',
    example: 280,
  })
  declare delivered: number;

  @ApiProperty({
    type: 'integer',
    required: true,
    description: 'Read, as reported by the platform; also counted as delivered.',
    example: 90,
  })
  declare read: number;

  @ApiProperty({
    type: 'integer',
    required: true,
    description:
      'Accepted by the platform and later reported as failed; counted in `successfullySent`. `retry` with scope ' +
      '`undelivered` sends to them again.',
    example: 2,
  })
  declare undelivered: number;

  @ApiProperty({
    type: 'integer',
    required: true,
    description: 'Not sent because the person has opted out; part of `failed`.',
    example: 1,
  })
  declare skipped: number;

  @ApiPropertyOptional({
    type: 'integer',
    description:
      'Part of `pending`: people who have opted out by now, and will be skipped. Only with `counts=true`, and for at ' +
      `most ${MOST_RECIPIENTS.toLocaleString('en')} recipients.`,
    example: 1,
  })
  optedOut?: number;

  @ApiProperty({
    type: 'integer',
    required: true,
    description:
      'Unknown whether the platform accepted them. The outcome may still arrive for some minutes; after that they ' +
      'count as failed.',
    example: 0,
  })
  declare unknown: number;

  @ApiProperty({
    type: 'integer',
    required: true,
    description: 'Invalid recipients; nothing was sent to them.',
    example: 3,
  })
  declare invalidRows: number;

  @ApiProperty({ type: 'integer', description: 'Rows of the file dropped as duplicates.', example: 0 })
  duplicateRows: number;

  @ApiProperty({
    ...TIME,
    nullable: true,
    example: null,
    description: 'When the recipients of the job expired and were deleted; counts remain. Null before that.',
  })
  recipientsExpiredAt: string | null;

  @ApiProperty({
    description: 'Why the job is paused, by the service or by a client (`paused_by_client`); null if it is not paused.',
    type: PauseReasonDto,
    nullable: true,
    example: null,
  })
  pauseReason: PauseReasonDto | null;

  @ApiProperty({ ...TIME, nullable: true, example: null, description: 'Since when it is paused; null if it is not.' })
  pausedAt: string | null;

  @ApiProperty({
    type: ActingKeyDto,
    nullable: true,
    description: 'The key that created the job; null for jobs of versions that did not record it.',
  })
  createdBy: ActingKeyDto | null;

  @ApiPropertyOptional(REQUEST_ID)
  requestId?: string;

  @ApiPropertyOptional(TRACE_ID)
  traceId?: string;

  @ApiProperty({
    type: ActingKeyDto,
    nullable: true,
    example: null,
    description: 'The key that paused the job; null if the service paused it, or it is not paused.',
  })
  pausedBy: ActingKeyDto | null;

  @ApiProperty({
    type: ActingKeyDto,
    nullable: true,
    example: null,
    description: 'The key that cancelled the job; null if the service cancelled it, or it is not cancelled.',
  })
  cancelledBy: ActingKeyDto | null;

  @ApiProperty({
    description: 'Why the job failed as a whole; null if it did not.',
    type: BulkJobErrorDto,
    nullable: true,
    example: null,
  })
  error: BulkJobErrorDto | null;

  @ApiProperty({
    type: Number,
    nullable: true,
    description:
      'Final outcomes per second: the recent rate while the job runs, the average once it is complete, otherwise null.',
    example: 79.8,
  })
  ratePerSecond: number | null;

  @ApiProperty({
    ...TIME,
    nullable: true,
    example: '2026-01-15T09:50:38.000Z',
    description:
      "Estimate from the recent rate or, at the start, from the sender's pace and its other jobs, including " +
      'schedule, send window and messaging tier (each recipient counts as new). If only unknown outcomes remain, the ' +
      'end of their wait. Null while the job makes no progress, is paused, or would take more than a year.',
  })
  estimatedCompletionAt: string | null;

  @ApiProperty({
    description: 'Actions that are currently possible.',
    enum: JOB_ACTIONS,
    isArray: true,
    example: ['pause', 'cancel'],
  })
  allowedActions: JobAction[];

  static from(detail: JobDetail): BulkJobDetailDto {
    const { job, showsSender, ratePerSecond, estimatedCompletionAt, startsAt } = detail;
    const audience = JobAudienceDto.of(job);
    return {
      ...BulkJobDto.of(detail),
      ...(showsSender && { senderId: job.senderId }),
      fileName: job.fileName,
      groupId: job.groupId,
      ...(audience && { audience }),
      retryOf: job.retryOf,
      scheduledAt: job.scheduledAt?.toISOString() ?? null,
      ...(startsAt && { startsAt: startsAt.toISOString() }),
      sendWindow: job.sendWindow && { ...job.sendWindow, days: [...job.sendWindow.days] },
      validUntil: job.validUntil?.toISOString() ?? null,
      pending: job.totalRecipients - job.successfullySent - job.failed,
      delivered: job.delivered,
      read: job.read,
      undelivered: job.undelivered,
      skipped: job.skipped,
      unknown: job.unknown,
      invalidRows: job.invalidRows,
      duplicateRows: job.duplicateRows,
      recipientsExpiredAt: job.recipientsExpiredAt?.toISOString() ?? null,
      pauseReason: job.pauseReason,
      pausedAt: job.pausedAt?.toISOString() ?? null,
      createdBy: job.createdBy,
      ...shownOrigin(job),
      pausedBy: job.pausedBy,
      cancelledBy: job.cancelledBy,
      error: job.error,
      ratePerSecond,
      estimatedCompletionAt: estimatedCompletionAt?.toISOString() ?? null,
      allowedActions: allowedActions(job),
    };
  }
}
