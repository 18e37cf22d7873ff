import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { TemplatesService } from '../../templates/domain/templates.service';
import { BulkJobStore } from './bulk-job-store.port';
import { BulkJobsService } from './bulk-jobs.service';
import { RecipientsExpiredError } from './bulk-jobs.errors';
import { type JobFailure, JobFailureStore, largestFirst } from './job-failures';
import type { JobRecipient, RecipientFilter } from './job-recipient';
import type { ReportColumns } from './report-columns';

/** The failures of a job, counted at one moment. */
export interface CountedFailures {
  items: JobFailure[];
  countedAt: Date;
}

/** The recipients of a job, with titles for their values. */
export interface JobReport extends ReportColumns {
  /** Of the job; null: none. */
  name: string | null;
  valueTitles: string[];
  /**
   * In batches, in order of position, each with its state when read; nothing is locked between batches. Rejects with
   * RecipientsExpiredError if the recipients expire meanwhile.
   */
  recipients: AsyncGenerator<JobRecipient[]>;
}

/** Recipients per batch of a report: a few milliseconds of work for the database and this process. */
const BATCH_SIZE = 500;

/** Reports the outcomes of a job's recipients. */
@Injectable()
export class JobReportsService {
  constructor(
    private readonly jobs: BulkJobsService,
    private readonly store: BulkJobStore,
    private readonly failureStore: JobFailureStore,
    private readonly templates: TemplatesService,
    private readonly clock: Clock,
  ) {}

  /** Counts failures by reason, most frequent first; empty once the recipients have expired. Throws JobNotFoundError. */
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
    const recipients = this.recipients(accountId, jobId, filter);
    const columns = await this.store.reportColumns(jobId);
    return { ...columns, name: job.name, valueTitles: template.valueTitles(), recipients };
  }

  private async *recipients(accountId: string, jobId: string, filter: RecipientFilter): AsyncGenerator<JobRecipient[]> {
    let cursor: string | null = '0';
    while (cursor !== null) {
      const slice = { afterPosition: Number(cursor), limit: BATCH_SIZE };
      const { items, nextCursor } = await this.jobs.recipients(accountId, jobId, filter, slice);
      yield items;
      cursor = nextCursor;
    }
    // Expired recipients may be missing from the batches.
    if ((await this.jobs.get(accountId, jobId)).recipientsExpiredAt !== null) throw new RecipientsExpiredError();
  }
}
