import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { CANCELLED } from '../../sending/domain/send-state';
import { type BulkJob, neverTriedFrom } from '../domain/bulk-job';
import { FailureCounts, type JobFailure, JobFailureStore } from '../domain/job-failures';
import { COUNT_FAILED, COUNT_UNDELIVERED, FIRST_NEVER_TRIED } from './job-failures.sql';

/** Most recipients that one statement reads, so that it does not hold the one connection of the embedded database for long. */
const RECIPIENTS_AT_ONCE = 5000;
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
    type Part = CountedFailure & { behindCursor: number; lastProblem: string; lastPosition: number };
    const neverTried = neverTriedFrom(job);
    let problemsBehind = 0;
    let place: [string, number] | null = ['', 0];
    while (place) {
      const parameters: unknown[] = [job.id, ...place, RECIPIENTS_AT_ONCE, neverTried];
      const parts: Part[] = await this.database.rows<Part>(COUNT_FAILED, parameters);
      for (const part of parts) {
        counts.add({ ...reasonOf(part), failed: part.count, undelivered: 0 });
        problemsBehind += part.behindCursor;
      }
      place = totalOf(parts) === RECIPIENTS_AT_ONCE ? [parts[0]!.lastProblem, parts[0]!.lastPosition] : null;
    }
    const failed = job.totalRecipients + 1 - neverTried - problemsBehind;
    if (failed <= 0) return;
    const first = await this.database.rows<{ rowNumber: number }>(FIRST_NEVER_TRIED, [
      job.id,
      neverTried,
      neverTried + RECIPIENTS_AT_ONCE,
    ]);
    const firstRows = first.map(({ rowNumber }) => rowNumber);
    const { code: errorCode, message, platformCode } = CANCELLED;
    counts.add({ errorCode, message, platformCode, failed, undelivered: 0, retryable: true, firstRows });
  }

  private async addUndelivered(job: BulkJob, counts: FailureCounts): Promise<void> {
    type Part = CountedFailure & { status: string; lastId: string };
    let place: string | null = FIRST_ID;
    while (place !== null) {
      const parts: Part[] = await this.database.rows<Part>(COUNT_UNDELIVERED, [job.id, place, RECIPIENTS_AT_ONCE]);
      for (const part of parts) {
        if (part.status === 'Undelivered') counts.add({ ...reasonOf(part), failed: 0, undelivered: part.count });
      }
      place = totalOf(parts) === RECIPIENTS_AT_ONCE ? parts[0]!.lastId : null;
    }
  }
}

function reasonOf({ errorCode, message, platformCode, retryable, firstRows }: CountedFailure): Reason {
  return { errorCode, message, platformCode, retryable, firstRows };
}

function totalOf(parts: readonly CountedFailure[]): number {
  return parts.reduce((sum, { count }) => sum + count, 0);
}
