import { Injectable } from '@nestjs/common';
import { PersonErasure } from '../../groups/domain/person-erasure';
import { JobErasureStore } from './job-erasure-store.port';

/** Erases people from jobs that are not published yet. */
@Injectable()
export class IntakeErasures {
  constructor(
    private readonly people: PersonErasure,
    private readonly store: JobErasureStore,
  ) {}

  /** Phone numbers and user ids of the account's unfinished erasures committed after `since`, by the database's clock. */
  requestedSince(accountId: string, since: Date): Promise<Set<string>> {
    return this.people.peopleBeingErased(accountId, since);
  }

  /** Marks the recipients with this number or user id as skipped, in short transactions. */
  async erase(jobId: string, person: string): Promise<void> {
    await this.store.erase(jobId, [person]);
  }
}
