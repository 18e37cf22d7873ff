import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  allowedActions,
  type BulkJob,
  BULK_JOB_KINDS,
  BULK_JOB_STATUSES,
  type BulkJobKind,
  type BulkJobStatus,
  JOB_ACTIONS,
  type JobAction,
  progressPercentage,
} from '../domain/bulk-job';
import { SENDER_ID } from '../../accounts/adapters/account-senders.dto';
import type { JobProgress } from '../domain/live-jobs';
import type { JobDetail } from '../domain/bulk-jobs.service';
import { SendWindowDto } from './job-timing.dto';
import { BulkJobErrorDto, PauseReasonDto, ThrottledDto } from './job-waits.dto';
import { JobAudienceDto } from './job-audience.dto';
import { ActingKeyDto } from '../../../infra/http/access/acting-key.dto';
import { REQUEST_ID, shownOrigin, TRACE_ID } from '../../../infra/http/request-origin';

const TIME = { type: String, format: 'date-time', example: '2026-01-15T09:30:00.000Z' };
const UUID = '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11';

/** The progress of a job. */
export class BulkJobStatusDto {
  @ApiProperty({ description: 'Id of the job.', format: 'uuid', example: UUID })
  jobId: string;

  @ApiProperty({ description: 'State of the job.', enum: BULK_JOB_STATUSES, example: 'Processing' })
  status: BulkJobStatus;

  @ApiProperty({
    description: 'All recipients, including invalid ones.',
    type: 'integer',
    example: 500,
  })
  totalRecipients: number;

  @ApiProperty({ type: 'integer', description: 'Accepted by the platform, whether delivered or not.', example: 320 })
  successfullySent: number;

  @ApiProperty({
    type: 'integer',
    description: 'Recipients whose final status is failed, skipped, unknown or cancelled.',
    example: 5,
  })
  failed: number;

  @ApiProperty({ description: 'Truncated to one decimal; below 100 until the job is complete.', example: 65 })
  progressPercentage: number;

  @ApiProperty({
    type: ThrottledDto,
    nullable: true,
    description:
      'Why the job sends nothing: a platform limit or its send window delays it, it waits for a person, or only unknown outcomes remain. Null otherwise.',
  })
  throttled: ThrottledDto | null;

  static of({ job, throttled }: JobProgress): BulkJobStatusDto {
    return {
      jobId: job.id,
      status: job.status,
      totalRecipients: job.totalRecipients,
      successfullySent: job.successfullySent,
      failed: job.failed,
      progressPercentage: progressPercentage(job),
      throttled: throttled && ThrottledDto.of(throttled),
    };
  }
}

/** A job in the list. */
export class BulkJobDto extends BulkJobStatusDto {
  @ApiProperty({ description: 'Source of the recipients.', enum: BULK_JOB_KINDS, example: 'Import' })
  kind: BulkJobKind;

  @ApiProperty({ description: 'The template to send.', example: 'order_update' })
  templateName: string;

  @ApiProperty({ description: 'Its language.', example: 'en_US' })
  languageCode: string;

  @ApiProperty({
    description: 'Name of the job, for people.',
    type: String,
    nullable: true,
    example: 'Spring sale, Berlin',
  })
  name: string | null;

  @ApiPropertyOptional({
    type: 'integer',
    description: 'Not sent because the person has opted out; part of `failed`. Absent in lists if 0.',
    example: 1,
  })
  skipped?: number;

  @ApiPropertyOptional({
    type: 'integer',
    description: 'Unknown whether the platform accepted them. In lists only with `counts=true`, if not 0.',
    example: 1,
  })
  unknown?: number;

  @ApiPropertyOptional({
    type: 'integer',
    description:
      'Invalid recipients; nothing is sent to them; part of `failed`. In lists only with `counts=true`, if not 0.',
    example: 3,
  })
  invalidRows?: number;

  @ApiPropertyOptional({
    type: 'integer',
    description: 'Accepted, later reported as failed. In lists only with `counts=true`, if not 0.',
    example: 2,
  })
  undelivered?: number;

  @ApiProperty({ description: 'Your own reference for the job.', type: String, nullable: true, example: 'spring-sale' })
  reference: string | null;

  @ApiProperty({ ...TIME, description: 'When the job was created.' })
  createdAt: string;

  @ApiProperty({ ...TIME, nullable: true, description: 'When the first message was sent.' })
  startedAt: string | null;

  @ApiProperty({
    ...TIME,
    nullable: true,
    example: null,
    description: 'When the last recipient reached its final outcome.',
  })
  completedAt: string | null;

  static override of(progress: JobProgress): BulkJobDto {
    const { job } = progress;
    return {
      ...BulkJobStatusDto.of(progress),
      kind: job.kind,
      templateName: job.templateName,
      languageCode: job.languageCode,
      name: job.name,
      ...(job.skipped > 0 && { skipped: job.skipped }),
      reference: job.reference,
      createdAt: job.createdAt.toISOString(),
      startedAt: job.startedAt?.toISOString() ?? null,
      completedAt: job.completedAt?.toISOString() ?? null,
    };
  }

  /** A job in a list; with its `counts`, if requested. */
  static listed(progress: JobProgress<BulkJob>, { counts }: { counts?: 'true' | 'false' | undefined }): BulkJobDto {
    const { unknown, invalidRows, undelivered } = progress.job;
    const figures = Object.entries({ unknown, invalidRows, undelivered }).filter(([, figure]) => figure > 0);
    return { ...BulkJobDto.of(progress), ...(counts === 'true' && Object.fromEntries(figures)) };
  }
}

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

  @ApiPropertyOptional({ type: JobAudienceDto, description: 'Whom a group send addressed; absent: an import.' })
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
    description: 'Delivered, as reported by the platform.',
    type: 'integer',
    example: 280,
  })
  delivered: number;

  @ApiProperty({
    description: 'Read, as reported by the platform; also counted as delivered.',
    type: 'integer',
    example: 90,
  })
  read: number;

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
    const { job, showsSender, ratePerSecond, estimatedCompletionAt } = detail;
    const audience = JobAudienceDto.of(job);
    return {
      ...BulkJobDto.of(detail),
      ...(showsSender && { senderId: job.senderId }),
      fileName: job.fileName,
      groupId: job.groupId,
      ...(audience && { audience }),
      retryOf: job.retryOf,
      scheduledAt: job.scheduledAt?.toISOString() ?? null,
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
