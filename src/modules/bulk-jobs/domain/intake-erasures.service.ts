import { Injectable } from '@nestjs/common';
import { PersonErasure } from '../../groups/domain/person-erasure.service';
import { JobErasureStore, POSITIONS_AT_ONCE } from './job-erasure-store.port';

/** Erases people from jobs that are not published yet. */
@Injectable()
export class IntakeErasures {
  constructor(
    private readonly people: PersonErasure,
    private readonly store: JobErasureStore,
  ) {}

  /** Phones of the account's unfinished erasures that were committed after `since`, a moment of the database's clock. */
  requestedSince(accountId: string, since: Date): Promise<Set<string>> {
    return this.people.underWay(accountId, since);
  }

  /** Makes the recipients with this phone skipped ones, in short transactions. */
  async erase(jobId: string, totalRecipients: number, phone: string): Promise<void> {
    for (let done = 0; done < totalRecipients; done += POSITIONS_AT_ONCE) {
      await this.store.erase(jobId, done + 1, Math.min(done + POSITIONS_AT_ONCE, totalRecipients), phone);
    }
  }
}
