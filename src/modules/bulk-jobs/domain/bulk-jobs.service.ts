import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import type { Page, PageRequest, Slice } from '../../../kernel/page';
import { SenderSignal } from '../../sending/domain/sender-signal';
import { TemplatesService } from '../../templates/domain/templates.service';
import {
  type BulkJob,
  estimatedCompletionAt,
  type JobAction,
  ratePerSecond,
  type RecentAnswers,
  STATUSES_THAT_ALLOW,
} from './bulk-job';
import { type BulkJobFilter, BulkJobStore, type JobTransition } from './bulk-job-store.port';
import { InvalidJobStateError, JobNotFoundError } from './bulk-jobs.errors';
import type { JobRecipient, RecipientFilter } from './job-recipient';

/** A job with the speed at which it goes on. */
export interface JobDetail {
  job: BulkJob;
  ratePerSecond: number | null;
  estimatedCompletionAt: Date | null;
}

/** What changes the state of the job itself. */
type JobControl = Exclude<JobAction, 'retry'>;

const TRANSITIONS: Readonly<Record<JobControl, Pick<JobTransition, 'to' | 'pauseReason'>>> = {
  pause: { to: 'Paused', pauseReason: 'Paused by the client' },
  resume: { to: 'Resumed', pauseReason: null },
  cancel: { to: 'Cancelled', pauseReason: null },
};

const NO_ANSWERS: RecentAnswers = { count: 0, seconds: 0 };

/** A state that almost nobody is in must not make one request read a million messages. */
const POSITIONS_SEARCHED = 50_000;

/** Jobs as clients follow and steer them. */
@Injectable()
export class BulkJobsService {
  constructor(
    private readonly store: BulkJobStore,
    private readonly clock: Clock,
    private readonly signal: SenderSignal,
    private readonly templates: TemplatesService,
  ) {}

  /** Throws JobNotFoundError. */
  async get(accountId: string, jobId: string): Promise<BulkJob> {
    const job = await this.find(accountId, jobId);
    if (!job) throw new JobNotFoundError();
    return job;
  }

  /** The job, or null where there is none. */
  find(accountId: string, jobId: string): Promise<BulkJob | null> {
    return this.store.find(accountId, jobId);
  }

  /** Newest first. */
  list(accountId: string, filter: BulkJobFilter, page: PageRequest): Promise<Page<BulkJob>> {
    return this.store.list(accountId, filter, page);
  }

  /** Throws JobNotFoundError. */
  async detail(accountId: string, jobId: string): Promise<JobDetail> {
    const job = await this.get(accountId, jobId);
    const recent = job.status === 'Processing' ? await this.store.recentAnswers(job) : NO_ANSWERS;
    return {
      job,
      ratePerSecond: ratePerSecond(job, recent),
      estimatedCompletionAt: estimatedCompletionAt(job, recent, this.clock.now()),
    };
  }

  /**
   * Recipients behind `afterPosition` by rising position; throws JobNotFoundError. The cursor is the position to go on
   * from. Not all of a large job is searched at once: fewer than `limit` with a cursor means that there may be more. There are
   * none where they are not kept any more.
   */
  async recipients(
    accountId: string,
    jobId: string,
    filter: RecipientFilter,
    { afterPosition, limit }: { afterPosition: number; limit: number },
  ): Promise<Slice<JobRecipient>> {
    const job = await this.get(accountId, jobId);
    if (job.recipientsExpiredAt !== null) return { items: [], nextCursor: null };
    const last = Math.min(afterPosition + POSITIONS_SEARCHED, job.totalRecipients);
    const found = await this.store.recipients(job, filter, afterPosition, limit + 1, last);
    const items = found.slice(0, limit);
    if (found.length > limit) return { items, nextCursor: String(items.at(-1)!.position) };
    return { items, nextCursor: last < job.totalRecipients ? String(last) : null };
  }

  /** Lets nothing more leave until it is resumed; throws JobNotFoundError, InvalidJobStateError. */
  pause(accountId: string, jobId: string): Promise<JobDetail> {
    return this.act(accountId, jobId, 'pause');
  }

  /**
   * Goes on where the job stopped; throws JobNotFoundError, InvalidJobStateError, and what keeps its template from being
   * sent: the job would only stop again.
   */
  async resume(accountId: string, jobId: string): Promise<JobDetail> {
    const job = await this.get(accountId, jobId);
    if (!STATUSES_THAT_ALLOW.resume.includes(job.status)) throw new InvalidJobStateError('resume', job);
    await this.templates.sendable(accountId, job.templateName, job.languageCode);
    return this.act(accountId, jobId, 'resume');
  }

  /** Ends the job: what has not left never will; throws JobNotFoundError, InvalidJobStateError. */
  cancel(accountId: string, jobId: string): Promise<JobDetail> {
    return this.act(accountId, jobId, 'cancel');
  }

  private async act(accountId: string, jobId: string, action: JobControl): Promise<JobDetail> {
    const transition = { from: STATUSES_THAT_ALLOW[action], ...TRANSITIONS[action] };
    if (!(await this.store.change(accountId, jobId, transition))) {
      throw new InvalidJobStateError(action, await this.get(accountId, jobId));
    }
    const detail = await this.detail(accountId, jobId);
    this.signal.runnable(detail.job.senderId);
    return detail;
  }
}
