import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  type BulkJob,
  BULK_JOB_KINDS,
  BULK_JOB_STATUSES,
  type BulkJobKind,
  type BulkJobStatus,
  progressPercentage,
} from '../domain/bulk-job';
import type { JobProgress } from '../domain/live-jobs';
import { ThrottledDto } from './job-waits.dto';

/** A time in a response about a job. */
export const TIME = { type: String, format: 'date-time', example: '2026-01-15T09:30:00.000Z' };
/** The example of an id. */
export const UUID = '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11';

/** The progress of a job. */
export class BulkJobStatusDto {
  @ApiProperty({ description: 'Id of the job.', format: 'uuid', example: UUID })
  jobId: string;

  @ApiProperty({ description: 'State of the job.', enum: BULK_JOB_STATUSES, example: 'Processing' })
  status: BulkJobStatus;

  @ApiProperty({ description: 'All recipients, including invalid ones.', type: 'integer', example: 500 })
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

  @ApiPropertyOptional({
    type: 'integer',
    description: 'Delivered, as reported by the platform. In lists only with `counts=true`, if not 0.',
    example: 280,
  })
  delivered?: number;

  @ApiPropertyOptional({
    type: 'integer',
    description:
      'Read, as reported by the platform; also counted as delivered. In lists only with `counts=true`, if not 0.',
    example: 90,
  })
  read?: number;

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
    const { unknown, invalidRows, undelivered, delivered, read } = progress.job;
    const figures = Object.entries({ unknown, invalidRows, undelivered, delivered, read }).filter(
      ([, figure]) => figure > 0,
    );
    return { ...BulkJobDto.of(progress), ...(counts === 'true' && Object.fromEntries(figures)) };
  }
}
