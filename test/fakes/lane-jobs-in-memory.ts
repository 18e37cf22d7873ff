import type { JobStop } from '../../src/modules/delivery/domain/job-stop';
import {
  type ClaimedRecipient,
  type CounterChange,
  type FirstClaim,
  type LaneJob,
  LaneJobStore,
  type LockedRecipients,
  type OpenRecipient,
  type OutcomeCounts,
  type RecipientState,
} from '../../src/modules/delivery/domain/lane-job-store.port';
import type { Epoch } from '../../src/modules/delivery/domain/lane-leases.port';
import type { Problem } from '../../src/modules/sending/domain/send-state';
import {
  isComplete,
  isEnded,
  isClosed,
  isExpired,
  isOnHold,
  isAtRest,
  isRunning,
  laneJob,
  lockedJob,
  mayRest,
  reasonAfterAnswers,
  reasonAfterClaim,
  underLock,
  VISIBLE,
} from './lane-rows';
import type { JobRow, MemoryDatabase, Tables } from './memory-database';
import { RecipientsInMemory } from './recipients-in-memory';

/** Jobs and their recipients in memory, with the same fences as the tables. */
export class LaneJobsInMemory extends LaneJobStore {
  private readonly recipients: RecipientsInMemory;

  constructor(
    private readonly database: MemoryDatabase,
    private readonly options: { graceMs: number },
  ) {
    super();
    this.recipients = new RecipientsInMemory(database, options);
  }

  unfinished(senderId: string): Promise<LaneJob[]> {
    return this.database.call('unfinished', (tables) =>
      unfinishedOf(tables, senderId)
        .filter(({ status }) => VISIBLE.includes(status))
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .map((job) => {
          const rows = tables.recipients.filter(({ jobId }) => jobId === job.id);
          return laneJob(job, rows, this.now(), this.options.graceMs);
        }),
    );
  }

  adopt(senderId: string, epoch: Epoch): Promise<void> {
    return this.database.call('adopt', (tables) => {
      for (const job of unfinishedOf(tables, senderId)) job.laneEpoch = Math.max(job.laneEpoch, Number(epoch));
    });
  }

  putAtRest(ids: readonly string[], epoch: Epoch): Promise<void> {
    return this.database.call('putAtRest', (tables) => {
      for (const id of ids) {
        const job = owned(tables, id, epoch);
        const rows = tables.recipients.filter(({ jobId }) => jobId === id);
        if (job && mayRest(job, rows)) Object.assign(job, { atRest: true, laneEpoch: 0 });
      }
    });
  }

  async takeOver(senderId: string, epoch: Epoch): Promise<void> {
    await this.adopt(senderId, epoch);
    for (const { id, settledBelow, cursor } of await this.withFirstAttempts(senderId, epoch)) {
      await this.recipients.strandFirstAttempts(id, settledBelow, cursor);
    }
    await this.recipients.strandLaterAttempts(senderId, epoch);
    await this.settleBelowCursor(senderId, epoch);
  }

  open(jobId: string, from: number, below: number, limit: number): Promise<OpenRecipient[]> {
    return this.recipients.open(jobId, from, below, limit);
  }

  async claimFirst(job: LaneJob, epoch: Epoch, claim: FirstClaim, problem: Problem): Promise<boolean> {
    const { leaving, skipped } = claim;
    if (!(await this.moveCursor(job, epoch, claim, false))) return false;
    if (await this.recipients.anySettled(job.id, [...leaving, ...skipped])) return false;
    await this.recipients.skip(job.id, skipped, problem);
    return true;
  }

  async claimDue(jobId: string, epoch: Epoch, limit: number): Promise<ClaimedRecipient[]> {
    return (await this.lockRunning(jobId, epoch)) ? this.recipients.claimDue(jobId, epoch, limit) : [];
  }

  async expire(
    job: LaneJob,
    epoch: Epoch,
    move: Pick<FirstClaim, 'cursor' | 'settledBelow'>,
    problem: Problem,
  ): Promise<boolean> {
    const nobody = { leaving: [], skipped: [], heldUntil: null, heldByTier: null };
    if (!(await this.moveCursor(job, epoch, { ...move, ...nobody }, true))) return false;
    await this.recipients.failOpen(job.id, job.cursor, move.cursor, problem);
    return true;
  }

  laterAttempts(jobId: string, epoch: Epoch): Promise<{ position: number; attempt: number }[]> {
    return this.recipients.laterAttempts(jobId, epoch);
  }

  lock(places: readonly { jobId: string; position: number }[]): Promise<LockedRecipients> {
    const jobIds = places.map(({ jobId }) => jobId);
    return this.locked(jobIds, () => this.recipients.at(places));
  }

  lockWaiting(jobId: string, which: 'grace over' | 'retry', limit: number): Promise<LockedRecipients> {
    return this.locked([jobId], () => this.recipients.waiting(jobId, which, limit));
  }

  async save(jobId: string, recipients: readonly RecipientState[], counters: CounterChange): Promise<void> {
    await this.recipients.save(jobId, recipients);
    await this.addToCounters(jobId, counters);
  }

  countOutcomes(jobId: string): Promise<OutcomeCounts> {
    return this.recipients.countOutcomes(jobId);
  }

  raiseSettledBelow(jobId: string, epoch: Epoch, settledBelow: number): Promise<void> {
    return this.database.call('raiseSettledBelow', (tables) => {
      const job = owned(tables, jobId, epoch);
      if (job) job.settledBelow = Math.max(job.settledBelow, Math.min(settledBelow, job.cursor));
    });
  }

  async strandOpen(jobId: string, epoch: Epoch): Promise<void> {
    const job = await this.database.call('lockOwnedJob', (tables) => owned(tables, jobId, epoch));
    if (job) await this.recipients.strandFirstAttempts(jobId, 1, job.totalRecipients + 1);
  }

  complete(jobId: string, epoch: Epoch): Promise<boolean> {
    return this.database.call('complete', (tables) => {
      const job = owned(tables, jobId, epoch);
      if (!job || !isComplete(job)) return false;
      if (!isEnded(job)) job.status = 'Completed';
      job.failed = job.totalRecipients - job.successfullySent;
      job.completedAt = this.database.now();
      job.pauseReason = null;
      return true;
    });
  }

  repair(seen: LaneJob, epoch: Epoch, counted: OutcomeCounts): Promise<boolean> {
    return this.database.call('repair', (tables) => {
      const job = owned(tables, seen.id, epoch);
      if (!job || job.completedAt || job.successfullySent !== seen.successfullySent) return false;
      if (job.failed !== seen.failed || job.unknownInGrace !== seen.unknownInGrace) return false;
      Object.assign(job, { successfullySent: counted.sent, failed: counted.failed, unknownInGrace: counted.inGrace });
      return true;
    });
  }

  beginUnknownWait(jobId: string, epoch: Epoch): Promise<Date | null> {
    return this.database.call('beginUnknownWait', (tables) => {
      const job = owned(tables, jobId, epoch);
      if (!job || job.unknownInGrace === 0 || job.throttledReason === 'unknown_outcomes') return null;
      Object.assign(job, { throttledReason: 'unknown_outcomes', throttledUntil: null, throttledTier: null });
      const since = tables.recipients.flatMap((row) => (row.jobId === jobId ? [row.unknownSince?.getTime() ?? 0] : []));
      return new Date(Math.max(...since) + this.options.graceMs);
    });
  }

  hold(jobId: string, epoch: Epoch, forMs: number): Promise<Date | null> {
    return this.database.call('hold', (tables) => {
      const job = running(tables, jobId, epoch);
      if (!job) return null;
      const until = new Date(this.now() + forMs);
      Object.assign(job, { throttledReason: 'template_limited', throttledUntil: until, throttledTier: null });
      return until;
    });
  }

  stop(jobId: string, epoch: Epoch, { final, problem, reason }: JobStop): Promise<boolean> {
    return this.database.call('stop', (tables) => {
      const job = running(tables, jobId, epoch);
      if (!job) return false;
      if (final) Object.assign(job, { status: 'Failed', errorCode: problem, errorMessage: reason });
      else Object.assign(job, { status: 'Paused', pauseReason: reason });
      return true;
    });
  }

  private withFirstAttempts(
    senderId: string,
    epoch: Epoch,
  ): Promise<{ id: string; settledBelow: number; cursor: number }[]> {
    return this.database.call('withFirstAttempts', (tables) =>
      unfinishedOf(tables, senderId)
        .filter((job) => String(job.laneEpoch) === epoch && job.settledBelow < job.cursor)
        .map(({ id, settledBelow, cursor }) => ({ id, settledBelow, cursor })),
    );
  }

  private settleBelowCursor(senderId: string, epoch: Epoch): Promise<void> {
    return this.database.call('settleBelowCursor', (tables) => {
      for (const job of unfinishedOf(tables, senderId)) {
        if (String(job.laneEpoch) === epoch) job.settledBelow = Math.max(job.settledBelow, job.cursor);
      }
    });
  }

  private moveCursor(seen: LaneJob, epoch: Epoch, move: FirstClaim, expired: boolean): Promise<boolean> {
    return this.database.call('moveCursor', (tables) => {
      const job = running(tables, seen.id, epoch);
      if (job?.cursor !== seen.cursor || isExpired(job, this.now()) !== expired) return false;
      if (!expired && (isClosed(job, this.now()) || isOnHold(job, this.now()))) return false;
      job.cursor = move.cursor;
      job.settledBelow = Math.max(job.settledBelow, Math.min(move.settledBelow, job.cursor));
      job.status = 'Processing';
      job.startedAt ??= this.database.now();
      job.skipped += move.skipped.length;
      job.failed += move.skipped.length;
      job.throttledReason = reasonAfterClaim(job, move.heldUntil);
      job.throttledUntil = move.heldUntil;
      job.throttledTier = move.heldByTier;
      return true;
    });
  }

  private lockRunning(jobId: string, epoch: Epoch): Promise<boolean> {
    return this.database.call('lockRunning', (tables) => {
      const job = running(tables, jobId, epoch);
      return job !== undefined && !isExpired(job, this.now()) && !isClosed(job, this.now());
    });
  }

  private async locked(ids: readonly string[], read: () => Promise<RecipientState[]>): Promise<LockedRecipients> {
    const { now, jobs } = await this.database.call('lockJobs', (tables) => {
      return { now: this.database.now(), jobs: tables.jobs.filter((job) => ids.includes(job.id)).map(lockedJob) };
    });
    return { now, rows: underLock(jobs, await read()) };
  }

  private addToCounters(jobId: string, change: CounterChange): Promise<void> {
    return this.database.call('addToCounters', (tables) => {
      const job = tables.jobs.find((row) => row.id === jobId)!;
      job.atRest = false;
      job.throttledReason = reasonAfterAnswers(job, change.successfullySent, this.now());
      for (const [counter, by] of Object.entries(change) as [keyof CounterChange, number][]) job[counter] += by;
    });
  }

  private now(): number {
    return this.database.now().getTime();
  }
}

function unfinishedOf(tables: Tables, senderId: string): JobRow[] {
  const ours = tables.jobs.filter((job) => job.senderId === senderId && job.completedAt === null && !isAtRest(job));
  return ours.filter((job) => job.status !== 'Importing' && job.status !== 'Abandoned');
}

function owned(tables: Tables, jobId: string, epoch: Epoch): JobRow | undefined {
  return tables.jobs.find((job) => job.id === jobId && String(job.laneEpoch) === epoch);
}

function running(tables: Tables, jobId: string, epoch: Epoch): JobRow | undefined {
  const job = owned(tables, jobId, epoch);
  return job && isRunning(job) ? job : undefined;
}
