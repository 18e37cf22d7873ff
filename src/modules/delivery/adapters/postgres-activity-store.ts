import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import type {
  ActivityBucket,
  ActivityRange,
  BucketLength,
  FailureCount,
  PaceHistory,
  PaceSample,
} from '../domain/activity';
import { ActivityStore } from '../domain/activity-store.port';
import * as sql from './activity.sql';

/** Before and after every job. */
const [FIRST, LAST] = ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];

/** Stores samples and counts, each in the transaction that records which changes they include. */
@Injectable()
export class PostgresActivityStore extends ActivityStore {
  constructor(private readonly database: Database) {
    super();
  }

  async sampleJobs(): Promise<void> {
    let after = FIRST;
    while (after !== LAST) {
      const [end] = await this.database.rows<{ id: string }>(sql.END_OF_PAGE, [after]);
      const last = end?.id ?? LAST;
      await this.samplePage(after, last);
      after = last;
    }
  }

  private samplePage(after: string, last: string): Promise<void> {
    return this.database.transaction(async () => {
      const changed = await this.database.rows<{ jobId: string }>(sql.LOCK_CHANGED_JOBS, [after, last]);
      if (changed.length === 0) return;
      const full = await this.database.rows<{ jobId: string }>(sql.SAMPLE_JOBS, [changed.map(({ jobId }) => jobId)]);
      for (const { jobId } of full) await this.database.execute(sql.COARSEN_SAMPLES, [jobId]);
    });
  }

  async fold(limit: number): Promise<number> {
    const [row] = await this.database.rows<{ count: number }>(sql.FOLD_ACTIVITY, [limit]);
    return row?.count ?? 0;
  }

  async pace(jobId: string): Promise<PaceHistory | null> {
    type Row = { stepSeconds: number } & { [Field in keyof PaceSample]: PaceSample[Field] | null };
    const rows = await this.database.rows<Row>(sql.PACE, [jobId]);
    if (rows.length === 0) return null;
    const items = rows.flatMap(({ at, sent, failed }) =>
      at === null || sent === null || failed === null ? [] : [{ at, sent, failed }],
    );
    return { stepSeconds: rows[0]!.stepSeconds, items };
  }

  series(accountId: string, { from, until }: ActivityRange, bucket: BucketLength): Promise<ActivityBucket[]> {
    return this.database.rows<ActivityBucket>(sql.SERIES, [accountId, from, until, bucket]);
  }

  topFailures(accountId: string, { from, until }: ActivityRange, limit: number): Promise<FailureCount[]> {
    return this.database.rows<FailureCount>(sql.TOP_FAILURES, [accountId, from, until, limit]);
  }

  async expire(accountId: string, before: Date, limit: number): Promise<number> {
    const parameters = [accountId, before, limit];
    const hours = await this.database.execute(sql.EXPIRE_ACTIVITY, parameters);
    const failures = await this.database.execute(sql.EXPIRE_FAILURES, parameters);
    return Math.max(hours.affected, failures.affected);
  }
}
