import { Injectable } from '@nestjs/common';
import type {
  ActivityBucket,
  ActivityCounts,
  ActivityRange,
  BucketLength,
  FailureCount,
  PaceHistory,
} from './activity';
import { ActivityStore } from './activity-store.port';

const FOLD_LIMIT = 2000;
const TOP_FAILURES = 10;
const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
const BUCKET_MS: Readonly<Record<BucketLength, number>> = { hour: 3_600_000, day: DAY_MS };

/** The activity of an account in a period. */
export interface ActivityReport {
  totals: ActivityCounts;
  /** Every bucket of the period, including empty ones. */
  series: ActivityBucket[];
  topFailures: FailureCount[];
}

/** The activity of the seven days up to now and of the seven before, to the hour; null: the history is kept for less than two weeks. */
export interface ActivityWeeks {
  last: ActivityCounts;
  before: ActivityCounts | null;
}

/** Activity over time: the pace of jobs, and what accounts sent and received. */
@Injectable()
export class ActivityService {
  constructor(private readonly store: ActivityStore) {}

  /** One round of counting, called once a second in each process. */
  async count(stopped: AbortSignal): Promise<void> {
    await this.store.sampleJobs();
    while ((await this.store.fold(FOLD_LIMIT)) === FOLD_LIMIT && !stopped.aborted);
  }

  /** The history of a job's pace; empty for a job that never started. */
  async pace(jobId: string): Promise<PaceHistory> {
    return (await this.store.pace(jobId)) ?? { stepSeconds: 1, items: [] };
  }

  /** The activity from `from` to `until`, extended to whole buckets. */
  async report(accountId: string, { from, until }: ActivityRange, bucket: BucketLength): Promise<ActivityReport> {
    const ms = BUCKET_MS[bucket];
    const first = Math.floor(from.getTime() / ms) * ms;
    const end = Math.ceil(until.getTime() / ms) * ms;
    const range = { from: new Date(first), until: new Date(end) };
    const found = await this.store.series(accountId, range, bucket);
    const byTime = new Map(found.map((one) => [one.at.getTime(), one]));
    const series: ActivityBucket[] = [];
    for (let at = first; at < end; at += ms) series.push(byTime.get(at) ?? { at: new Date(at), ...noActivity() });
    const topFailures = await this.store.topFailures(accountId, range, TOP_FAILURES);
    return { totals: series.reduce(sumOf, noActivity()), series, topFailures };
  }

  /** Both weeks end with a whole hour, so that their lengths are equal; `now` is in the last hour. */
  async weeks(accountId: string, now: Date, keptDays: number): Promise<ActivityWeeks> {
    const end = Math.floor(now.getTime() / BUCKET_MS.hour + 1) * BUCKET_MS.hour;
    const [from, middle] = [end - 2 * WEEK_MS, end - WEEK_MS];
    const hours = await this.store.series(accountId, { from: new Date(from), until: new Date(end) }, 'hour');
    return {
      last: hours.filter(({ at }) => at.getTime() >= middle).reduce(sumOf, noActivity()),
      before:
        keptDays * DAY_MS < 2 * WEEK_MS
          ? null
          : hours.filter(({ at }) => at.getTime() < middle).reduce(sumOf, noActivity()),
    };
  }

  /** Deletes at most `limit` hours before `before`, of counts and of failures; returns the number of rows, at least `limit` if there may be more. */
  expire(accountId: string, before: Date, limit: number): Promise<number> {
    return this.store.expire(accountId, before, limit);
  }
}

/** The number of buckets in a period. */
export function bucketsOf({ from, until }: ActivityRange, bucket: BucketLength): number {
  return Math.ceil((until.getTime() - from.getTime()) / BUCKET_MS[bucket]);
}

function noActivity(): ActivityCounts {
  return { sent: 0, delivered: 0, read: 0, undelivered: 0, failed: 0, received: 0 };
}

function sumOf(sum: ActivityCounts, one: ActivityCounts): ActivityCounts {
  return {
    sent: sum.sent + one.sent,
    delivered: sum.delivered + one.delivered,
    read: sum.read + one.read,
    undelivered: sum.undelivered + one.undelivered,
    failed: sum.failed + one.failed,
    received: sum.received + one.received,
  };
}
