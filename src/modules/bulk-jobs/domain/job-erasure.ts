import { Injectable } from '@nestjs/common';
import type { ErasedPerson, ErasurePart, ErasureStep } from '../../groups/domain/erasure';
import { JobErasureStore, type JobPosition } from './job-erasure-store.port';

/** Examining a job of a million recipients takes some 30 ms. */
const JOBS_AT_ONCE = 50;

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
    for (const { jobId, createdAt, isImporting, mayHavePerson } of jobs) {
      const isOver = !isImporting && (!mayHavePerson || (await this.store.erase(jobId, person)));
      if (!isOver) return { ...continueAt(reached), waiting: true };
      reached = { createdAt, jobId };
    }
    return jobs.length < JOBS_AT_ONCE ? { done: true } : continueAt(reached);
  }
}

function continueAt(reached: JobPosition | null): ErasureStep {
  return reached === null ? { done: false } : { done: false, position: JSON.stringify(reached) };
}
