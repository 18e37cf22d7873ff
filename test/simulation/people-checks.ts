import type { JobRow, RecipientRow } from '../fakes/engine-rows';
import { firstMoment } from '../../src/modules/bulk-jobs/domain/job-timing';
import { PAUSE_DAYS } from '../../src/modules/delivery/domain/job-stop';
import { isClosed, isExpired, isRunning, isVisible, isWaiting } from '../fakes/lane-rows';
import type { Change, ErasureRow, HistoryDatabase } from './history-database';
import type { Life } from './life';
import { PromiseBroken } from './promise-broken';
import { RetryChecks } from './retry-checks';
import { bulkJobOf } from './simulated-bulk-job-store';
import type { Flight } from './simulated-platform';

const ERASED = 'recipient_erased';
const EXPIRED = 'pause_expired';
/** Longest time from a claim's check of the window to its commit. */
const CLAIM_MS = 5000;
/** Largest difference between the clocks of a process and the database. */
const CLOCK_MS = 1000;

/** Checks the promises about people's requests, at each commit and each send. */
export class PeopleChecks {
  /** Jobs on hold whose release was not requested. */
  private readonly held = new Set<string>();
  /** Number of requests to resume or reschedule each job. */
  private readonly resumeRequests = new Map<string, number>();

  private readonly erasedMessages = new Set<string>();
  /** Numbers and user ids. */
  private readonly erasedKeys = new Set<string>();
  private readonly retries: RetryChecks;

  constructor(
    private readonly server: HistoryDatabase,
    private readonly dayMs: number,
  ) {
    this.retries = new RetryChecks(server);
  }

  /** A job was created on hold. */
  onHold(jobId: string): void {
    this.held.add(jobId);
  }

  /** A person requests that a job resumes or is rescheduled. */
  requested(jobId: string): void {
    this.held.delete(jobId);
    this.resumeRequests.set(jobId, (this.resumeRequests.get(jobId) ?? 0) + 1);
  }

  committed(owner: Life | null, changes: readonly Change[]): void {
    for (const { row, before, after } of changes) {
      if (row.table === 'erasures') this.erased(before as ErasureRow | null, after as ErasureRow);
      if (row.table === 'bulk_jobs') this.retry(before as JobRow | null, after as JobRow);
      if (before === null) continue;
      if (row.table === 'bulk_jobs') this.job(owner, before as JobRow, after as JobRow);
      if (row.table === 'job_recipients') this.recipient(owner, before as RecipientRow, after as RecipientRow);
    }
  }

  /** A retry was answered. */
  retried(jobId: string, warnings: readonly string[]): void {
    this.retries.answered(jobId, warnings);
  }

  /** Checks that no data of erased people is left. */
  end(requests: number): void {
    this.retries.end(requests);
    for (const [jobId, rows] of this.server.recipients) {
      // The service removes jobs whose import was abandoned, but histories are too short for that.
      if (!isVisible(this.server.jobs.row(jobId).committed!)) continue;
      const left = rows.find(({ committed }) => this.erasedKeys.has(committed!.phone));
      if (left) throw new PromiseBroken('no data of erased people is left', left.key);
    }
  }

  departed({ callbackData, messageId, to }: Flight): void {
    if (this.erasedMessages.has(messageId) || this.erasedKeys.has(to)) {
      throw new PromiseBroken('nothing is sent to erased people', callbackData);
    }
    const jobId = callbackData.split('.')[2];
    if (jobId !== undefined && this.held.has(jobId))
      throw new PromiseBroken('a hold lasts until its release', callbackData);
  }

  /** A job has become visible: held, or with the validity that begins when it may send. */
  private published(before: JobRow, after: JobRow): void {
    if (after.status === 'Paused') this.held.add(after.id);
    else this.validFrom(before, after);
  }

  private retry(before: JobRow | null, after: JobRow): void {
    if (after.retryOf === null || after.status === 'Abandoned') return;
    if (before === null) this.retries.begun(after);
    else if (!isVisible(before) && isVisible(after)) this.retries.published(after);
  }

  /** After the first round of an erasure, no message of the person is in flight. */
  private erased(before: ErasureRow | null, { phone, round, userId }: ErasureRow): void {
    if (before?.round !== 1 || round !== 2) return;
    for (const key of [phone, userId]) if (key !== null) this.erasedKeys.add(key);
  }

  private job(owner: Life | null, before: JobRow, after: JobRow): void {
    if (!isVisible(before) && isVisible(after)) this.published(before, after);
    if (isWaiting(before) && isRunning(after)) this.resumed(before, after);
    if (!isWaiting(before) && timingOf(before) !== timingOf(after))
      throw new PromiseBroken('only waiting jobs are changed', after.id);
    if (after.errorCode === EXPIRED && before.errorCode !== EXPIRED) this.expires(before);
    if (after.cursor !== before.cursor && !isExpired(after, this.now())) this.claimed(owner, after);
  }

  private recipient(owner: Life | null, before: RecipientRow, after: RecipientRow): void {
    const isClaim = after.attempt > before.attempt && after.sendingEpoch !== null;
    if (after.problem === ERASED) this.erasedMessages.add(after.messageId);
    if (isClaim) this.claimed(owner, this.server.jobs.row(after.jobId).committed!);
  }

  /** Without a request, the service starts only scheduled jobs that are due. */
  private resumed(before: JobRow, after: JobRow): void {
    const { id, scheduledAt, status } = before;
    const resumeRequests = this.resumeRequests.get(id) ?? 0;
    const isDue = status === 'Scheduled' && scheduledAt !== null && scheduledAt <= this.server.now();
    if (this.held.has(id)) throw new PromiseBroken('a hold lasts until its release', `${id} is ${after.status}`);
    if (resumeRequests === 0 && !isDue) throw new PromiseBroken('only a person ends a pause', `${id} was ${status}`);
    if (!isDue) this.resumeRequests.set(id, resumeRequests - 1);
    if (before.startedAt === null && status === 'Paused') this.validFrom(before, after);
  }

  /** A validity that has not begun begins when the job may send. */
  private validFrom({ id, validUntil, validForSeconds }: JobRow, after: JobRow): void {
    if (validForSeconds === null || validUntil !== null) return;
    const from = (after.validUntil?.getTime() ?? 0) - validForSeconds * 1000;
    // The window may have closed between the request and its commit.
    const [earliest, latest] = [this.now() - CLAIM_MS, this.now()].map((now) =>
      firstMoment(bulkJobOf(after), new Date(now)).getTime(),
    );
    if (from < earliest! - CLOCK_MS || from > latest! + CLOCK_MS) {
      throw new PromiseBroken('validity begins when a job may send', `${id} from ${new Date(from).toISOString()}`);
    }
  }

  private expires({ id, pausedAt, status }: JobRow): void {
    const days = (this.now() - (pausedAt?.getTime() ?? Infinity)) / this.dayMs;
    if (status !== 'Paused' || days < PAUSE_DAYS) {
      throw new PromiseBroken('a pause lasts its full duration', `${id} was ${status} for ${days} days`);
    }
  }

  /** A claim uses the current window. */
  private claimed(owner: Life | null, job: JobRow): void {
    const now = this.now();
    const before = this.server.scheduler.now - CLAIM_MS;
    if (!isClosed(job, now) || !isClosed(job, now - CLAIM_MS) || owner?.wasFrozenSince(before)) return;
    throw new PromiseBroken('claims use the current send window', job.id);
  }

  private now(): number {
    return this.server.now().getTime();
  }
}

function timingOf({ scheduledAt, sendFrom, sendUntil, sendZone }: JobRow): string {
  return [scheduledAt?.getTime(), sendFrom, sendUntil, sendZone].join();
}
