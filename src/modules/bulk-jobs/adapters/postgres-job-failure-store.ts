import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { CANCELLED } from '../../sending/domain/send-state';
import { type BulkJob, neverTriedFrom } from '../domain/bulk-job';
import { FailureCounts, type JobFailure, JobFailureStore } from '../domain/job-failures';
import { COUNT_FAILED, COUNT_UNDELIVERED, FIRST_NEVER_TRIED } from './job-failures.sql';

/** Maximum number of recipients per statement, so that it does not hold the only connection of the embedded database for long. */
const BATCH_SIZE = 5000;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

type Reason = Pick<JobFailure, 'errorCode' | 'message' | 'platformCode' | 'retryable' | 'firstRows'>;
type CountedFailure = Reason & { count: number };

/** Counts failures in `job_recipients` and `messages`, by the indexes that hold failures only. */
@Injectable()
export class PostgresJobFailureStore extends JobFailureStore {
  constructor(private readonly database: Database) {
    super();
  }

  async count(job: BulkJob): Promise<JobFailure[]> {
    const counts = new FailureCounts();
    await this.addFailed(job, counts);
    if (job.undelivered > 0) await this.addUndelivered(job, counts);
    return counts.all();
  }

  private async addFailed(job: BulkJob, counts: FailureCounts): Promise<void> {
    type Part = CountedFailure & { neverTried: number; lastProblem: string; lastPosition: number };
    const neverTriedAt = neverTriedFrom(job);
    let invalidNeverTried = 0;
    let after: [string, number] | null = ['', 0];
    while (after) {
      const parameters: unknown[] = [job.id, ...after, BATCH_SIZE, neverTriedAt];
      const parts: Part[] = await this.database.rows<Part>(COUNT_FAILED, parameters);
      for (const part of parts) {
        counts.add({ ...reasonOf(part), failed: part.count, undelivered: 0 });
        invalidNeverTried += part.neverTried;
      }
      after = totalOf(parts) === BATCH_SIZE ? [parts[0]!.lastProblem, parts[0]!.lastPosition] : null;
    }
    const failed = job.totalRecipients + 1 - neverTriedAt - invalidNeverTried;
    if (failed <= 0) return;
    const first = await this.database.rows<{ rowNumber: number }>(FIRST_NEVER_TRIED, [
      job.id,
      neverTriedAt,
      neverTriedAt + BATCH_SIZE,
    ]);
    const firstRows = first.map(({ rowNumber }) => rowNumber);
    const { code: errorCode, message, platformCode } = CANCELLED;
    counts.add({ errorCode, message, platformCode, failed, undelivered: 0, retryable: true, firstRows });
  }

  private async addUndelivered(job: BulkJob, counts: FailureCounts): Promise<void> {
    type Part = CountedFailure & { status: string; lastId: string };
    let after: string | null = FIRST_ID;
    while (after !== null) {
      const parts: Part[] = await this.database.rows<Part>(COUNT_UNDELIVERED, [job.id, after, BATCH_SIZE]);
      for (const part of parts) {
        if (part.status === 'Undelivered') counts.add({ ...reasonOf(part), failed: 0, undelivered: part.count });
      }
      after = totalOf(parts) === BATCH_SIZE ? parts[0]!.lastId : null;
    }
  }
}

function reasonOf({ errorCode, message, platformCode, retryable, firstRows }: CountedFailure): Reason {
  return { errorCode, message, platformCode, retryable, firstRows };
}

function totalOf(parts: readonly CountedFailure[]): number {
  return parts.reduce((sum, { count }) => sum + count, 0);
}
