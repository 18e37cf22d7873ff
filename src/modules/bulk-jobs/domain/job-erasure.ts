import { Injectable } from '@nestjs/common';
import type { ErasedPerson, ErasurePart, ErasureStep } from '../../groups/domain/erasure';
import { JobErasureStore, type JobPosition } from './job-erasure-store.port';

const JOBS_AT_ONCE = 500;

/** Erases a person from the recipients of jobs: examines the jobs of the account in order, some per step. */
@Injectable()
export class JobErasure implements ErasurePart {
  readonly name = 'recipients by person';

  constructor(private readonly store: JobErasureStore) {}

  /** Erases the person from the next jobs; waits for messages in flight. */
  async erase({ accountId, phone, userId, requestedAt }: ErasedPerson, position: string | null): Promise<ErasureStep> {
    const person = [phone, userId].filter((key) => key !== null);
    if (person.length === 0) return { done: true };
    let reached = position === null ? null : (JSON.parse(position) as JobPosition);
    const jobs = await this.store.jobs(accountId, requestedAt, person, reached, JOBS_AT_ONCE);
    for (const { jobId, createdAt, isImporting, hasPerson } of jobs) {
      const left = hasPerson && !isImporting ? await this.store.erase(jobId, person) : 'Nothing';
      if (isImporting || left === 'InFlight') return { ...continueAt(reached), waiting: true };
      if (left === 'Rows') return continueAt(reached);
      reached = { createdAt, jobId };
    }
    return jobs.length < JOBS_AT_ONCE ? { done: true } : continueAt(reached);
  }
}

function continueAt(reached: JobPosition | null): ErasureStep {
  return reached === null ? { done: false } : { done: false, position: JSON.stringify(reached) };
}
