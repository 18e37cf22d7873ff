import { Injectable } from '@nestjs/common';
import type { ErasedPerson, ErasurePart, ErasureStep } from '../../groups/domain/erasure';
import { JobErasureStore, type JobPosition, POSITIONS_AT_ONCE, type ScannedJob } from './job-erasure-store.port';

const JOBS_AT_ONCE = 50;

/**
 * Erases a person from the recipients of jobs. There is no index by phone number, which would make every import
 * slower: all jobs of the account are scanned, one range of positions per step.
 */
@Injectable()
export class JobErasure implements ErasurePart {
  readonly name = 'job recipients';

  constructor(private readonly store: JobErasureStore) {}

  /** Erases the next range; waits for messages in flight. */
  async erase({ accountId, phone, userId, requestedAt }: ErasedPerson, position: string | null): Promise<ErasureStep> {
    const person = [phone, userId].filter((key) => key !== null);
    if (person.length === 0) return { done: true };
    const from = position === null ? null : (JSON.parse(position) as JobPosition);
    const jobs = await this.store.jobs(accountId, requestedAt, from, JOBS_AT_ONCE);
    let scanned = 0;
    let reached = from;
    for (const job of jobs) {
      let done = from?.jobId === job.jobId ? from.position : 0;
      if (job.isImporting) return waitAfter(reached);
      while (done < job.totalRecipients) {
        if (scanned >= POSITIONS_AT_ONCE) return continueAfter(reached);
        const last = Math.min(done + POSITIONS_AT_ONCE, job.totalRecipients);
        if (!(await this.store.erase(job.jobId, done + 1, last, person))) return waitAfter(reached);
        scanned += last - done;
        done = last;
        reached = at(job, done);
      }
      reached = at(job, done);
    }
    return jobs.length < JOBS_AT_ONCE ? { done: true } : continueAfter(reached);
  }
}

function at({ createdAt, jobId }: ScannedJob, position: number): JobPosition {
  return { createdAt, jobId, position };
}

function continueAfter(reached: JobPosition | null): ErasureStep {
  return reached === null ? { done: false } : { done: false, position: JSON.stringify(reached) };
}

function waitAfter(reached: JobPosition | null): ErasureStep {
  return { ...continueAfter(reached), waiting: true };
}
