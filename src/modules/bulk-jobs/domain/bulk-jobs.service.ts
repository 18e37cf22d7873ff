import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../kernel/caller';
import { Clock } from '../../../kernel/clock';
import type { Page, PageRequest, Slice, SliceRequest } from '../../../kernel/page';
import { decodeCursor } from '../../../kernel/time-cursor';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import type { AuditAction } from '../../accounts/domain/audit-entry';
import { AuditLogService } from '../../accounts/domain/audit-log.service';
import { SendersService } from '../../accounts/domain/senders.service';
import { SenderSignal } from '../../sending/domain/sender-signal';
import { SingleSendTimes } from '../../sending/domain/single-sends';
import { TemplatesService } from '../../templates/domain/templates.service';
import {
  type BulkJob,
  currentWait,
  type JobAction,
  ratePerSecond,
  type RecentAnswers,
  STATUSES_THAT_ALLOW,
  CHANGEABLE_STATUSES,
  validityRestarts,
  type Wait,
} from './bulk-job';
import { type BulkJobFilter, BulkJobStore, type JobTransition } from './bulk-job-store.port';
import { InvalidJobStateError, JobNotFoundError } from './bulk-jobs.errors';
import type { JobProgress, LiveJob, OpenJobs } from './live-jobs';
import type { JobRecipient, RecipientFilter } from './job-recipient';
import { checkTiming, firstMoment, type JobTiming, plannedStart } from './job-timing';
import { estimatedCompletionAt } from './send-forecast';
import { SendForecasts } from './send-forecasts';
import { TimeZones } from './time-zones.port';

/** A job, its rate, its estimated end, and what it waits for. */
export interface JobDetail {
  job: BulkJob;
  /** Whether responses contain `senderId`. */
  showsSender: boolean;
  throttled: Wait | null;
  ratePerSecond: number | null;
  estimatedCompletionAt: Date | null;
  /** When a Scheduled or Paused job with a schedule ahead may first send; otherwise null. */
  startsAt: Date | null;
}

/** A change that a client requests; absent fields keep their values. */
export interface JobChange extends Partial<JobTiming> {
  name?: string | null;
}

/** Actions that change the status of the job itself. */
type JobControl = Exclude<JobAction, 'retry'>;

const STATUS_AFTER: Readonly<Record<JobControl, JobTransition['to']>> = {
  pause: 'Paused',
  resume: 'Resumed',
  cancel: 'Cancelled',
};

const AUDITED: Readonly<Record<JobControl, AuditAction>> = {
  pause: 'job.paused',
  resume: 'job.resumed',
  cancel: 'job.cancelled',
};

const NO_ANSWERS: RecentAnswers = { count: 0, seconds: 0 };

/** Bounds the rows that one request reads when it filters by a rare status. */
const POSITIONS_SEARCHED = 50_000;

/** Progress, recipients and control of jobs. */
@Injectable()
export class BulkJobsService {
  constructor(
    private readonly store: BulkJobStore,
    private readonly clock: Clock,
    private readonly signal: SenderSignal,
    private readonly templates: TemplatesService,
    private readonly times: SingleSendTimes,
    private readonly forecasts: SendForecasts,
    private readonly unitOfWork: UnitOfWork,
    private readonly zones: TimeZones,
    private readonly senders: SendersService,
    private readonly audit: AuditLogService,
  ) {}

  /** Throws JobNotFoundError. */
  async get(accountId: string, jobId: string): Promise<BulkJob> {
    const job = await this.find(accountId, jobId);
    if (!job) throw new JobNotFoundError();
    return job;
  }

  /** The job; null if there is none. */
  find(accountId: string, jobId: string): Promise<BulkJob | null> {
    return this.store.find(accountId, jobId);
  }

  /** Throws JobNotFoundError. */
  async progress(accountId: string, jobId: string): Promise<JobProgress> {
    return this.progressOf(await this.get(accountId, jobId));
  }

  /** Newest first. */
  async list(accountId: string, filter: BulkJobFilter, page: PageRequest): Promise<Page<JobProgress<BulkJob>>> {
    const { items, ...found } = await this.store.list(accountId, filter, page);
    return { ...found, items: items.map((job) => this.progressOf(job)) };
  }

  /** Newest first; an empty cursor starts. */
  async slice(
    accountId: string,
    filter: BulkJobFilter,
    { cursor = '', limit }: SliceRequest,
  ): Promise<Slice<JobProgress<BulkJob>>> {
    const { items, nextCursor } = await this.store.slice(accountId, filter, decodeCursor(cursor), limit);
    return { items: items.map((job) => this.progressOf(job)), nextCursor };
  }

  /** Reads the jobs with these ids and the live jobs of these accounts in one query; the caller checks access. */
  async live(jobIds: readonly string[], accountIds: readonly string[]): Promise<JobProgress[]> {
    return (await this.store.live(jobIds, accountIds)).map((job) => this.progressOf(job));
  }

  /** Counts the unfinished jobs of the account. */
  open(accountId: string): Promise<OpenJobs> {
    return this.store.open(accountId);
  }

  /** Throws JobNotFoundError. */
  async detail(accountId: string, jobId: string): Promise<JobDetail> {
    const job = await this.get(accountId, jobId);
    const recent = job.status === 'Processing' ? await this.store.recentAnswers(job) : NO_ANSWERS;
    const now = this.clock.now();
    const throttled = currentWait(job, this.times.graceMs, now);
    const isUnfinished = ['Scheduled', 'Queued', 'Processing'].includes(job.status);
    return {
      job,
      showsSender: await this.senders.hasSeveral(accountId),
      throttled,
      ratePerSecond: ratePerSecond(job, recent),
      estimatedCompletionAt: isUnfinished
        ? estimatedCompletionAt(job, recent, throttled, await this.forecasts.limitsOfJob(job), now)
        : null,
      startsAt: CHANGEABLE_STATUSES.includes(job.status) ? plannedStart(job, now) : null,
    };
  }

  /**
   * Lists recipients after `afterPosition` in order of position; throws JobNotFoundError. The cursor is the position to continue
   * from. One call searches part of a large job: it may return fewer than `limit` and a cursor. The list is empty once the
   * recipients have expired.
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

  /** Stops sending until the job is resumed, and records the key; throws JobNotFoundError, InvalidJobStateError. */
  pause(caller: Caller, jobId: string): Promise<JobDetail> {
    return this.act(caller, jobId, 'pause');
  }

  /**
   * Continues a paused job; throws JobNotFoundError, InvalidJobStateError, SenderDeletedError, and the error of a template that cannot be
   * sent, since the job would only pause again.
   */
  async resume(caller: Caller, jobId: string): Promise<JobDetail> {
    const job = await this.get(caller.accountId, jobId);
    if (!STATUSES_THAT_ALLOW.resume.includes(job.status)) throw new InvalidJobStateError('resume', job);
    const sender = await this.senders.recorded(job.accountId, job.senderId);
    await this.templates.sendable(sender, job.templateName, job.languageCode);
    return this.act(caller, jobId, 'resume');
  }

  /** Ends the job: unsent messages are never sent; throws JobNotFoundError, InvalidJobStateError. */
  cancel(caller: Caller, jobId: string): Promise<JobDetail> {
    return this.act(caller, jobId, 'cancel');
  }

  /**
   * Changes the name of a job, and when a Scheduled or Paused one may send. Throws JobNotFoundError, InvalidJobStateError, and ValidationFailedError for a schedule in the past or too far ahead or an unknown time zone.
   */
  async edit(caller: Caller, jobId: string, { name, ...change }: JobChange): Promise<JobDetail> {
    const { accountId } = caller;
    const now = this.clock.now();
    const { scheduledAt = null, sendWindow = null } = change;
    await checkTiming({ scheduledAt, sendWindow }, now, this.zones);
    await this.unitOfWork.run(async () => {
      const job = await this.store.lock(accountId, jobId);
      if (!job) throw new JobNotFoundError();
      const fields = [...(name === undefined ? [] : ['name']), ...Object.keys(change)];
      await this.audit.record(caller, { action: 'job.changed', targetId: jobId, fields });
      if (name !== undefined) await this.store.rename(jobId, name);
      if (Object.keys(change).length === 0) return;
      if (!CHANGEABLE_STATUSES.includes(job.status)) throw new InvalidJobStateError('change', job);
      const hasPendingValidity = job.validForSeconds !== null && job.startedAt === null;
      const validFrom = job.status === 'Paused' ? null : firstMoment({ ...job, ...change }, now);
      await this.store.changeTiming(jobId, hasPendingValidity ? { ...change, validFrom } : change);
    });
    const detail = await this.detail(accountId, jobId);
    this.signal.runnable(detail.job.senderId);
    return detail;
  }

  private progressOf<Job extends LiveJob>(job: Job): JobProgress<Job> {
    return { job, throttled: currentWait(job, this.times.graceMs, this.clock.now()) };
  }

  private async act(caller: Caller, jobId: string, action: JobControl): Promise<JobDetail> {
    const { accountId, keyId } = caller;
    await this.unitOfWork.run(async () => {
      // Under the lock, the timing from which the validity starts cannot change.
      const job = await this.store.lock(accountId, jobId);
      if (!job) throw new JobNotFoundError();
      const from = STATUSES_THAT_ALLOW[action];
      if (!from.includes(job.status)) throw new InvalidJobStateError(action, job);
      const restarts = action === 'resume' && validityRestarts(job);
      const validFrom = restarts ? firstMoment(job, this.clock.now()) : undefined;
      await this.store.change(accountId, jobId, { from, to: STATUS_AFTER[action], keyId, validFrom });
      await this.audit.record(caller, { action: AUDITED[action], targetId: jobId });
    });
    const detail = await this.detail(accountId, jobId);
    this.signal.runnable(detail.job.senderId);
    return detail;
  }
}
