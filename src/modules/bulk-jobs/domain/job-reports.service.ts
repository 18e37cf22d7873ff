import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { TemplatesService } from '../../templates/domain/templates.service';
import { BulkJobsService } from './bulk-jobs.service';
import { RecipientsExpiredError } from './bulk-jobs.errors';
import { type JobFailure, JobFailureStore, largestFirst } from './job-failures';
import type { JobRecipient, RecipientFilter } from './job-recipient';

/** What of a job failed, as counted at one moment. */
export interface CountedFailures {
  items: JobFailure[];
  countedAt: Date;
}

/** Every recipient of a job, with titles for their values. */
export interface JobReport {
  valueTitles: string[];
  /**
   * In parts, in order of position, each as it is when it is read; nothing is held between two parts. Rejects with
   * RecipientsExpiredError if the recipients expired meanwhile.
   */
  recipients: AsyncGenerator<JobRecipient[]>;
}

/** Recipients in one part of a report: a few milliseconds of work for the database and for this process. */
const READ_AT_ONCE = 500;

/** Tells what became of the recipients of a job. */
@Injectable()
export class JobReportsService {
  constructor(
    private readonly jobs: BulkJobsService,
    private readonly failureStore: JobFailureStore,
    private readonly templates: TemplatesService,
    private readonly clock: Clock,
  ) {}

  /** Why recipients failed, the most frequent reason first; nothing once the recipients have expired. Throws JobNotFoundError. */
  async failures(accountId: string, jobId: string): Promise<CountedFailures> {
    const job = await this.jobs.get(accountId, jobId);
    const countedAt = this.clock.now();
    if (job.recipientsExpiredAt !== null) return { items: [], countedAt };
    return { items: largestFirst(await this.failureStore.count(job)), countedAt };
  }

  /** Reads the recipients that match the filter; throws JobNotFoundError, RecipientsExpiredError. */
  async report(accountId: string, jobId: string, filter: RecipientFilter): Promise<JobReport> {
    const job = await this.jobs.get(accountId, jobId);
    if (job.recipientsExpiredAt !== null) throw new RecipientsExpiredError();
    const template = await this.templates.revision(job.revisionId);
    return { valueTitles: template.valueTitles(), recipients: this.recipients(accountId, jobId, filter) };
  }

  private async *recipients(accountId: string, jobId: string, filter: RecipientFilter): AsyncGenerator<JobRecipient[]> {
    let cursor: string | null = '0';
    while (cursor !== null) {
      const slice = { afterPosition: Number(cursor), limit: READ_AT_ONCE };
      const { items, nextCursor } = await this.jobs.recipients(accountId, jobId, filter, slice);
      yield items;
      cursor = nextCursor;
    }
    // They may have been deleted behind the last part that was read whole.
    if ((await this.jobs.get(accountId, jobId)).recipientsExpiredAt !== null) throw new RecipientsExpiredError();
  }
}
