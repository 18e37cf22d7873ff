import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { TimeFilter } from '../../../infra/http/lists/list-filters.decorators';
import type { OpenJobs } from '../../bulk-jobs/domain/live-jobs';
import {
  ACTIVITY_BUCKETS,
  type ActivityBucket,
  type ActivityCounts,
  type BucketLength,
  type FailureCount,
  MAX_PACE_SAMPLES,
} from '../../delivery/domain/activity';
import type { ActivityWeeks } from '../../delivery/domain/activity.service';
import type { JobPace, Overview } from '../domain/overview.service';

const TIME = { type: String, format: 'date-time', example: '2026-01-15T09:00:00.000Z' };
const count = (description: string, example: number) => ({ type: 'integer' as const, description, example });

/** The range and bucket length of an overview. */
export class OverviewQueryDto {
  @TimeFilter('Starts with the bucket that contains this time; absent: 24 hours or 30 days before `until`.')
  from?: string;

  @TimeFilter('Ends with the bucket that contains this time; absent: now.')
  until?: string;

  @ApiPropertyOptional({
    description: 'Length of a bucket; days are in UTC.',
    enum: ACTIVITY_BUCKETS,
    default: 'hour',
    example: 'hour',
  })
  @IsOptional()
  @IsIn(ACTIVITY_BUCKETS)
  bucket: BucketLength = 'hour';
}

/** Message counts by outcome. */
export class ActivityCountsDto implements ActivityCounts {
  @ApiProperty(count('Accepted by the platform, whether delivered or not.', 1240))
  sent: number;

  @ApiProperty(count('Reported as delivered.', 1198))
  delivered: number;

  @ApiProperty(count('Reported as read.', 803))
  read: number;

  @ApiProperty(count('Accepted, and reported as not delivered.', 12))
  undelivered: number;

  @ApiProperty(
    count(
      'Failed or cancelled for good, excluding people who opted out, invalid rows of files and recipients whose job ' +
        'ended before they were tried.',
      17,
    ),
  )
  failed: number;

  @ApiProperty(count('Inbound messages.', 96))
  received: number;
}

/** Message counts of one hour or day. */
export class ActivityBucketDto extends ActivityCountsDto {
  @ApiProperty({ ...TIME, description: 'Start of the bucket.' })
  at: string;

  static of({ at, ...counts }: ActivityBucket): ActivityBucketDto {
    return { at: at.toISOString(), ...counts };
  }
}

/** Message counts of the last seven days, and of the seven before. */
export class ActivityWeeksDto implements ActivityWeeks {
  @ApiProperty({
    type: ActivityCountsDto,
    description: 'The seven days up to and including the current hour; with a shorter retention, what is kept of them.',
  })
  last: ActivityCountsDto;

  @ApiProperty({
    type: ActivityCountsDto,
    nullable: true,
    description: 'The seven days before those. Null if the account keeps its history for less than 14 days.',
  })
  before: ActivityCountsDto | null;
}

/** How many messages failed with one error. */
export class FailureCountDto implements FailureCount {
  @ApiProperty({ description: 'Stable error code.', example: 'recipient_unreachable' })
  errorCode: string;

  @ApiProperty(count('Failed or undelivered messages with this error.', 11))
  count: number;
}

/** Counts of unfinished jobs by state. */
export class OpenJobsDto implements OpenJobs {
  @ApiProperty(count('Scheduled for later.', 1))
  scheduled: number;

  @ApiProperty(count('Queued or sending.', 2))
  processing: number;

  @ApiProperty(count("Running but waiting; the job's `throttled` gives the reason.", 0))
  waiting: number;

  @ApiProperty(count('Paused by a client or by the service.', 1))
  paused: number;
}

/** Activity of an account in a range, and its current jobs and unread conversations. */
export class OverviewDto {
  @ApiProperty({ type: ActivityCountsDto, description: 'Totals of the series.' })
  totals: ActivityCountsDto;

  @ApiProperty({ type: [ActivityBucketDto], description: 'Every bucket of the range, in ascending order.' })
  series: ActivityBucketDto[];

  @ApiProperty({
    type: [FailureCountDto],
    description: 'The ten most frequent reasons why messages were not sent or delivered.',
  })
  topFailures: FailureCountDto[];

  @ApiProperty({ type: ActivityWeeksDto, description: 'The last seven days and the seven before, for any range.' })
  weeks: ActivityWeeksDto;

  @ApiProperty({ type: OpenJobsDto, description: 'Unfinished jobs.' })
  jobs: OpenJobsDto;

  @ApiProperty(count('Open conversations with unread messages.', 3))
  unread: number;

  static from({ series, ...overview }: Overview): OverviewDto {
    return { ...overview, series: series.map((bucket) => ActivityBucketDto.of(bucket)) };
  }
}

/** Progress of a job in one step. */
export class PaceSampleDto {
  @ApiProperty({ ...TIME, description: 'Start of the step.' })
  at: string;

  @ApiProperty(count('Recipients whose message the platform accepted.', 78))
  sent: number;

  @ApiProperty(
    count(
      'Recipients that failed for good, excluding those that opted out or whose job ended before they were tried; ' +
        'negative if a late status showed that a message was sent after all.',
      2,
    ),
  )
  failed: number;
}

/** The pace of a job over time. */
export class JobPaceDto {
  @ApiProperty(count('Length of each step in seconds; it doubles as the job runs.', 2))
  stepSeconds: number;

  @ApiProperty({ description: "The sender's current limit in messages per second.", example: 80 })
  nominal: number;

  @ApiProperty({
    type: [PaceSampleDto],
    description: `Steps with activity, at most ${MAX_PACE_SAMPLES}, in ascending order.`,
  })
  items: PaceSampleDto[];

  static from({ items, ...pace }: JobPace): JobPaceDto {
    return { ...pace, items: items.map(({ at, ...sample }) => ({ at: at.toISOString(), ...sample })) };
  }
}
