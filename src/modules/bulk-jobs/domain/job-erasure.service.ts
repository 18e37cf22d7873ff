import { Injectable } from '@nestjs/common';
import type { ErasedPerson, ErasurePart, ErasureStep } from '../../groups/domain/erasure';
import { JobErasureStore, type JobPosition, POSITIONS_AT_ONCE, type WalkedJob } from './job-erasure-store.port';

const JOBS_AT_ONCE = 50;

/**
 * Erases a person from the recipients of jobs. There is no index by phone number, which would make every import
 * slower: all jobs of the account are scanned, one range of positions per step.
 */
@Injectable()
export class JobErasure implements ErasurePart {
  readonly name = 'job recipients';

  constructor(private readonly store: JobErasureStore) {}

  /** Waits for messages in flight. */
  async erase({ accountId, phone, requestedAt }: ErasedPerson, position: string | null): Promise<ErasureStep> {
    if (phone === null) return { done: true };
    const from = position === null ? null : (JSON.parse(position) as JobPosition);
    const jobs = await this.store.jobs(accountId, requestedAt, from, JOBS_AT_ONCE);
    let looked = 0;
    let reached = from;
    for (const job of jobs) {
      let done = from?.jobId === job.jobId ? from.position : 0;
      if (job.isImporting) return waitingAt(reached);
      while (done < job.totalRecipients) {
        if (looked >= POSITIONS_AT_ONCE) return goingOn(reached);
        const last = Math.min(done + POSITIONS_AT_ONCE, job.totalRecipients);
        if (!(await this.store.erase(job.jobId, done + 1, last, phone))) return waitingAt(reached);
        looked += last - done;
        done = last;
        reached = at(job, done);
      }
      reached = at(job, done);
    }
    return jobs.length < JOBS_AT_ONCE ? { done: true } : goingOn(reached);
  }
}

function at({ createdAt, jobId }: WalkedJob, position: number): JobPosition {
  return { createdAt, jobId, position };
}

function goingOn(reached: JobPosition | null): ErasureStep {
  return reached === null ? { done: false } : { done: false, position: JSON.stringify(reached) };
}

function waitingAt(reached: JobPosition | null): ErasureStep {
  return { ...goingOn(reached), waiting: true };
}
