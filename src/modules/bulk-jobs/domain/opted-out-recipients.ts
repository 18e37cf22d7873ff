import { Injectable } from '@nestjs/common';
import { OptOutCheck } from '../../sending/domain/opt-out-check';
import type { BulkJob } from './bulk-job';
import { BulkJobStore } from './bulk-job-store.port';

/** Largest job whose pending recipients one request reads. */
export const MOST_RECIPIENTS = 50_000;
const RECIPIENTS_AT_ONCE = 5000;

/** Counts the pending recipients of a job that will be skipped. */
@Injectable()
export class OptedOutRecipients {
  constructor(
    private readonly store: BulkJobStore,
    private readonly optOuts: OptOutCheck,
  ) {}

  /** The pending recipients who have opted out by now; null for a job of more than MOST_RECIPIENTS. */
  async countOf(job: BulkJob): Promise<number | null> {
    if (job.totalRecipients > MOST_RECIPIENTS) return null;
    if (job.completedAt !== null) return 0;
    let count = 0;
    for (let from = 0; from < job.totalRecipients; from += RECIPIENTS_AT_ONCE) {
      const to = Math.min(from + RECIPIENTS_AT_ONCE, job.totalRecipients);
      const pending = await this.store.recipients(job, { status: 'Pending' }, from, RECIPIENTS_AT_ONCE, to);
      count += (await this.optOuts.among(job.accountId, pending, job.revisionId)).size;
    }
    return count;
  }
}
