import { Injectable } from '@nestjs/common';
import { RequestAbandonedError } from '../../../kernel/request-abandoned.error';
import { SeenPeople } from '../../groups/domain/seen-people';
import type { BulkJob } from './bulk-job';
import { BulkJobStore } from './bulk-job-store.port';
import { JobNotFoundError, RecipientsExpiredError } from './bulk-jobs.errors';

/** Recipients that are read at a time. */
const STEP = 5000;

/** The people whom jobs reached. */
@Injectable()
export class ReachedPeople {
  constructor(private readonly jobs: BulkJobStore) {}

  /** Everybody whom one of these jobs of the account reached or may reach. Rejects with JobNotFoundError and RecipientsExpiredError. */
  async of(accountId: string, jobIds: readonly string[], signal: AbortSignal): Promise<SeenPeople> {
    const reached = new SeenPeople();
    for (const jobId of jobIds) {
      const job = await this.withRecipients(accountId, jobId);
      for (let first = 1; first <= job.totalRecipients; first += STEP) {
        if (signal.aborted) throw new RequestAbandonedError();
        for (const phone of await this.jobs.reached(job, first, first + STEP - 1)) reached.add(phone);
      }
      // Recipients may have expired during the read.
      await this.withRecipients(accountId, jobId);
    }
    return reached;
  }

  private async withRecipients(accountId: string, jobId: string): Promise<BulkJob> {
    const job = await this.jobs.find(accountId, jobId);
    if (!job) throw new JobNotFoundError();
    if (job.recipientsExpiredAt !== null) throw new RecipientsExpiredError();
    return job;
  }
}
