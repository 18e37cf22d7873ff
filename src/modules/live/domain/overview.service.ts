import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { HistoryTerms } from '../../accounts/domain/history-terms';
import { SendersService } from '../../accounts/domain/senders.service';
import type { OpenJobs } from '../../bulk-jobs/domain/live-jobs';
import { BulkJobsService } from '../../bulk-jobs/domain/bulk-jobs.service';
import { ConversationsService } from '../../chat-history/domain/conversations.service';
import type { BucketLength, PaceHistory } from '../../delivery/domain/activity';
import {
  ActivityService,
  type ActivityReport,
  type ActivityWeeks,
  bucketsOf,
} from '../../delivery/domain/activity.service';
import { OverviewTooLongError } from './overview.errors';

/** Maximum number of buckets: a month of hours or two years of days. */
const MAX_BUCKETS = 744;
const DEFAULT_HOURS: Readonly<Record<BucketLength, number>> = { hour: 24, day: 30 * 24 };
const HOUR_MS = 3_600_000;

/** Activity of an account in a range, and its current jobs and unread conversations. */
export interface Overview extends ActivityReport {
  jobs: OpenJobs;
  weeks: ActivityWeeks;
  /** Open conversations with unread messages. */
  unread: number;
}

/** The pace of a job over time; `nominal`: the sender's limit in messages per second. */
export interface JobPace extends PaceHistory {
  nominal: number;
}

/** Figures for dashboards. */
@Injectable()
export class OverviewService {
  constructor(
    private readonly activity: ActivityService,
    private readonly jobs: BulkJobsService,
    private readonly conversations: ConversationsService,
    private readonly senders: SendersService,
    private readonly terms: HistoryTerms,
    private readonly clock: Clock,
  ) {}

  /** By default the last 24 hours by hour, or the last 30 days by day. Throws OverviewTooLongError. */
  async of(
    accountId: string,
    { from, until }: { from: Date | undefined; until: Date | undefined },
    bucket: BucketLength,
  ): Promise<Overview> {
    const now = this.clock.now();
    const end = until ?? now;
    const range = { from: from ?? new Date(end.getTime() - DEFAULT_HOURS[bucket] * HOUR_MS), until: end };
    if (bucketsOf(range, bucket) > MAX_BUCKETS) throw new OverviewTooLongError(MAX_BUCKETS);
    const report = await this.activity.report(accountId, range, bucket);
    const weeks = await this.activity.weeks(accountId, now, await this.terms.of(accountId));
    const jobs = await this.jobs.open(accountId);
    return { ...report, weeks, jobs, unread: await this.conversations.countUnread(accountId) };
  }

  /** Throws JobNotFoundError. */
  async paceOf(accountId: string, jobId: string): Promise<JobPace> {
    const { senderId } = await this.jobs.get(accountId, jobId);
    const sender = (await this.senders.byId(senderId)) ?? (await this.senders.ofAccount(accountId));
    return { nominal: sender.messagesPerSecond, ...(await this.activity.pace(jobId)) };
  }
}
