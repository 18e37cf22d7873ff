import type { JobStop } from '../../src/modules/delivery/domain/job-stop';
import {
  type ClaimedRecipient,
  type CounterChange,
  type Epoch,
  type FirstAttempts,
  type JobProof,
  type LaneJob,
  LaneStore,
  type LaneThrottle,
  type LockedJob,
  type RecipientState,
} from '../../src/modules/delivery/domain/lane-store.port';
import { EXPIRED } from '../../src/modules/sending/domain/send-state';
import type { JobRow, MemoryDatabase, RecipientRow, Tables } from './memory-database';

const LEASE_MS = 4000;
const SKIPPED = {
  ...{ outcome: 'Skipped', problem: 'opted_out' },
  problemMessage: 'The recipient has opted out of messages.',
} as const;
const VISIBLE = ['Queued', 'Processing', 'Paused', 'Cancelled', 'Failed'];
const CLAIM_RANGE = 5000;

/** Lanes and their jobs in memory, with the same fences as the tables. */
export class LanesInMemory extends LaneStore {
  constructor(
    private readonly database: MemoryDatabase,
    private readonly options: { owner: string; exclusive: boolean; graceMs: number },
  ) {
    super();
  }

  sendersToRun(): Promise<string[]> {
    return this.database.call('sendersToRun', (tables) => {
      const now = this.now();
      const senders = new Set([
        ...tables.jobs.filter((job) => this.isRunnable(tables, job)).map((job) => job.senderId),
        ...tables.singleSends
          .filter((send) => send.sendingEpoch !== null || (send.retryAt && send.retryAt.getTime() <= now))
          .map((send) => send.senderId),
      ]);
      const isFree = (id: string): boolean => {
        const lane = tables.lanes.find((row) => row.senderId === id);
        return !lane || lane.leaseUntil < now || this.options.exclusive;
      };
      return [...senders].filter(isFree);
    });
  }

  take(senderId: string, joined: (epoch: Epoch) => Promise<void>): Promise<Epoch | null> {
    return this.database.call('take', async (tables) => {
      const { owner, exclusive } = this.options;
      const held = tables.lanes.find((row) => row.senderId === senderId);
      if (held && held.leaseUntil >= this.now() && !exclusive) return null;
      const epoch = (held?.epoch ?? 0) + 1;
      const leaseUntil = exclusive ? Infinity : this.now() + LEASE_MS;
      tables.lanes = tables.lanes.filter((row) => row !== held);
      tables.lanes.push({ senderId, epoch, owner, leaseUntil, throttledReason: null, throttledUntil: null });
      for (const job of unfinished(tables, senderId)) {
        job.laneEpoch = epoch;
        const inFlight = ofJob(tables, job.id).filter(
          (row) =>
            row.outcome === null &&
            ((row.position >= job.settledBelow && row.position < job.cursor && row.retryAt === null) ||
              (row.sendingEpoch !== null && row.sendingEpoch < epoch)),
        );
        for (const row of inFlight) {
          Object.assign(row, {
            outcome: 'Unknown',
            unknownSince: this.database.now(),
            sendingEpoch: null,
            retryAt: null,
          });
          row.attempt = Math.max(1, row.attempt);
        }
        job.unknown += inFlight.length;
        job.unknownInGrace += inFlight.length;
        job.settledBelow = Math.max(job.settledBelow, job.cursor);
      }
      await joined(String(epoch));
      return String(epoch);
    });
  }

  renew(senderId: string, epoch: Epoch): Promise<boolean> {
    return this.database.call('renew', (tables) => {
      const lane = laneOf(tables, senderId, epoch);
      if (lane) lane.leaseUntil = this.now() + LEASE_MS;
      return lane !== undefined;
    });
  }

  giveBack(senderId: string, epoch: Epoch): Promise<void> {
    return this.database.call('giveBack', (tables) => {
      const lane = laneOf(tables, senderId, epoch);
      if (lane)
        Object.assign(lane, { owner: null, leaseUntil: -Infinity, throttledReason: null, throttledUntil: null });
    });
  }

  look(senderId: string, epoch: Epoch): Promise<{ jobs: LaneJob[]; singleDue: boolean }> {
    return this.database.call('look', (tables) => {
      const lane = laneOf(tables, senderId, epoch);
      for (const job of unfinished(tables, senderId)) if (lane) job.laneEpoch = Math.max(job.laneEpoch, lane.epoch);
      const jobs = unfinished(tables, senderId)
        .filter((job) => VISIBLE.includes(job.status) && String(job.laneEpoch) === epoch)
        .sort((a, b) => (a.id < b.id ? -1 : 1));
      const due = (send: Tables['singleSends'][number]): boolean =>
        send.senderId === senderId &&
        send.retryAt !== null &&
        send.retryAt.getTime() <= this.now() &&
        send.validUntil.getTime() > this.now();
      return { jobs: jobs.map((job) => this.seen(tables, job)), singleDue: tables.singleSends.some(due) };
    });
  }

  claimFirst(seen: LaneJob, epoch: Epoch, limit: number, settledBelow: number): Promise<FirstAttempts | null> {
    return this.database.call('claimFirst', (tables) => {
      const job = running(tables, seen.id, epoch);
      if (job?.cursor !== seen.cursor || this.isExpired(job)) return null;
      const end = Math.min(seen.cursor + CLAIM_RANGE, seen.totalRecipients + 1);
      const open = ofJob(tables, job.id)
        .filter((row) => row.position >= seen.cursor && row.position < end && row.outcome === null)
        .slice(0, limit);
      const optedOut = open.filter((row) => tables.optOuts.includes(`${job.accountId} ${row.phone}`));
      for (const row of optedOut) Object.assign(row, SKIPPED);
      job.cursor = open.length < limit ? end : open.at(-1)!.position + 1;
      job.settledBelow = Math.max(job.settledBelow, Math.min(settledBelow, job.cursor));
      job.status = 'Processing';
      job.startedAt ??= this.database.now();
      job.skipped += optedOut.length;
      job.failed += optedOut.length;
      const recipients = open.filter((row) => !optedOut.includes(row)).map((row) => claimed({ ...row, attempt: 1 }));
      return { recipients, skipped: optedOut.length, cursor: job.cursor, heldUntil: null };
    });
  }

  expireFirst(seen: LaneJob, epoch: Epoch, limit: number, settledBelow: number): Promise<number | null> {
    return this.database.call('expireFirst', (tables) => {
      const job = running(tables, seen.id, epoch);
      if (job?.cursor !== seen.cursor || !this.isExpired(job)) return null;
      job.cursor = Math.min(seen.cursor + limit, seen.totalRecipients + 1);
      job.settledBelow = Math.max(job.settledBelow, Math.min(settledBelow, job.cursor));
      job.status = 'Processing';
      job.startedAt ??= this.database.now();
      const isPassed = ({ position, outcome }: RecipientRow): boolean =>
        position >= seen.cursor && position < job.cursor && outcome === null;
      const passed = ofJob(tables, job.id).filter(isPassed);
      const problem = { problem: EXPIRED.code, problemMessage: EXPIRED.message };
      for (const row of passed) Object.assign(row, { outcome: 'Failed', ...problem });
      job.failed += passed.length;
      return job.cursor;
    });
  }

  claimRetries(jobId: string, epoch: Epoch, limit: number): Promise<ClaimedRecipient[]> {
    return this.database.call('claimRetries', (tables) => {
      const job = running(tables, jobId, epoch);
      if (!job || this.isExpired(job)) return [];
      const isOut = (row: RecipientRow): boolean => tables.optOuts.includes(`${job.accountId} ${row.phone}`);
      const due = ofJob(tables, jobId)
        .filter((row) => row.retryAt !== null && row.retryAt.getTime() <= this.now())
        .sort((a, b) => a.retryAt!.getTime() - b.retryAt!.getTime())
        .slice(0, limit);
      for (const row of due)
        Object.assign(row, { attempt: row.attempt + 1, sendingEpoch: Number(epoch), retryAt: null });
      return due.map((row) => ({ ...claimed(row), unwanted: isOut(row) }));
    });
  }

  laterAttempts(jobId: string, epoch: Epoch): Promise<{ position: number; attempt: number }[]> {
    return this.database.call('laterAttempts', (tables) =>
      ofJob(tables, jobId)
        .filter((row) => row.sendingEpoch === Number(epoch) && row.outcome === null)
        .map(({ position, attempt }) => ({ position, attempt }))
        .slice(0, 500),
    );
  }

  raiseSettledBelow(jobId: string, epoch: Epoch, settledBelow: number): Promise<void> {
    return this.database.call('raiseSettledBelow', (tables) => {
      const job = owned(tables, jobId, epoch);
      if (job) job.settledBelow = Math.max(job.settledBelow, Math.min(settledBelow, job.cursor));
    });
  }

  complete(jobId: string, epoch: Epoch): Promise<boolean> {
    return this.database.call('complete', (tables) => {
      const job = owned(tables, jobId, epoch);
      if (!job || job.completedAt || job.unknownInGrace > 0 || job.settledBelow !== job.cursor) return false;
      if (!hasEnded(job)) {
        if (job.successfullySent + job.failed !== job.totalRecipients) return false;
        job.status = 'Completed';
      }
      job.failed = job.totalRecipients - job.successfullySent;
      job.startedAt ??= this.database.now();
      job.completedAt = this.database.now();
      job.pauseReason = null;
      return true;
    });
  }

  prove(jobId: string): Promise<JobProof> {
    return this.database.call('prove', (tables) => {
      const proof: JobProof = { sent: 0, failed: 0, open: 0, inGrace: 0 };
      for (const { outcome, problem } of ofJob(tables, jobId)) {
        if (outcome === null) proof.open++;
        else if (outcome === 'Sent') proof.sent++;
        else if (outcome === 'Unknown' && problem === null) proof.inGrace++;
        else proof.failed++;
      }
      return proof;
    });
  }

  repair(seen: LaneJob, epoch: Epoch, proof: JobProof): Promise<boolean> {
    return this.database.call('repair', (tables) => {
      const job = owned(tables, seen.id, epoch);
      if (!job || job.completedAt || job.successfullySent !== seen.successfullySent) return false;
      if (job.failed !== seen.failed || job.unknownInGrace !== seen.unknownInGrace) return false;
      Object.assign(job, { successfullySent: proof.sent, failed: proof.failed, unknownInGrace: proof.inGrace });
      return true;
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

  showThrottle(senderId: string, epoch: Epoch, throttle: LaneThrottle | null): Promise<void> {
    return this.database.call('showThrottle', (tables) => {
      const lane = laneOf(tables, senderId, epoch);
      if (!lane) return;
      Object.assign(lane, { throttledReason: throttle?.reason ?? null, throttledUntil: throttle?.until ?? null });
    });
  }

  hold(senderId: string, epoch: Epoch): Promise<boolean> {
    return this.database.call('hold', (tables) => laneOf(tables, senderId, epoch) !== undefined);
  }

  lockRecipients(at: readonly { jobId: string; position: number }[]): Promise<{ now: Date; jobs: LockedJob[] }> {
    return this.database.call('lockRecipients', (tables) => {
      const wanted = new Set(at.map(({ jobId, position }) => `${jobId} ${position}`));
      const ids = new Set(at.map(({ jobId }) => jobId));
      const jobs = tables.jobs.filter((job) => ids.has(job.id)).sort((a, b) => (a.id < b.id ? -1 : 1));
      const rows = (job: JobRow): RecipientRow[] =>
        ofJob(tables, job.id).filter((row) => wanted.has(`${job.id} ${row.position}`));
      return { now: this.database.now(), jobs: jobs.map((job) => locked(job, rows(job))) };
    });
  }

  lockWaiting(jobId: string, which: 'grace over' | 'retry', limit: number): Promise<{ now: Date; jobs: LockedJob[] }> {
    return this.database.call('lockWaiting', (tables) => {
      const isWanted = (row: RecipientRow): boolean =>
        which === 'retry' ? row.retryAt !== null && row.outcome === null : this.isGraceOver(row);
      const jobs = tables.jobs.filter((job) => job.id === jobId);
      const rows = ofJob(tables, jobId).filter(isWanted).slice(0, limit);
      return { now: this.database.now(), jobs: jobs.map((job) => locked(job, rows)) };
    });
  }

  saveRecipients(jobId: string, recipients: readonly RecipientState[]): Promise<void> {
    return this.database.call('saveRecipients', (tables) => {
      const rows = new Map(ofJob(tables, jobId).map((row) => [row.position, row]));
      for (const { position, attempt, strikes, throttles, retryAt, unknownSince, outcome, problem } of recipients) {
        const stated = {
          problem: problem?.code ?? null,
          problemMessage: problem?.message ?? null,
          platformCode: problem?.platformCode ?? null,
        };
        const state = { attempt, strikes, throttles, retryAt, unknownSince, outcome, sendingEpoch: null };
        Object.assign(rows.get(position)!, state, stated);
      }
    });
  }

  addToCounters(jobId: string, change: CounterChange): Promise<void> {
    return this.database.call('addToCounters', (tables) => {
      const job = tables.jobs.find((row) => row.id === jobId)!;
      for (const [counter, by] of Object.entries(change) as [keyof CounterChange, number][]) job[counter] += by;
    });
  }

  private now(): number {
    return this.database.now().getTime();
  }

  private isGraceOver(row: RecipientRow): boolean {
    return row.unknownSince !== null && row.unknownSince.getTime() < this.now() - this.options.graceMs;
  }

  private isExpired({ validUntil }: JobRow): boolean {
    return validUntil !== null && validUntil.getTime() <= this.now();
  }

  private isRunnable(tables: Tables, job: JobRow): boolean {
    if (job.completedAt || !VISIBLE.includes(job.status)) return false;
    const seen = this.seen(tables, job);
    const isRunning = job.status === 'Queued' || job.status === 'Processing';
    if (isRunning && (job.cursor <= job.totalRecipients || seen.retryDue)) return true;
    if (isRunning && seen.expired && seen.retryWaiting) return true;
    if (hasEnded(job) && (job.unknownInGrace === 0 || seen.retryWaiting)) return true;
    if (job.settledBelow < job.cursor || seen.sending || seen.graceOver) return true;
    return job.cursor > job.totalRecipients && job.unknownInGrace === 0 && !seen.retryWaiting;
  }

  private seen(tables: Tables, job: JobRow): LaneJob {
    const rows = ofJob(tables, job.id);
    return {
      id: job.id,
      accountId: job.accountId,
      status: job.status as LaneJob['status'],
      revisionId: job.revisionId,
      headerMedia: job.headerMedia,
      totalRecipients: job.totalRecipients,
      cursor: job.cursor,
      settledBelow: job.settledBelow,
      expired: this.isExpired(job),
      held: false,
      successfullySent: job.successfullySent,
      failed: job.failed,
      unknownInGrace: job.unknownInGrace,
      retryDue: rows.some((row) => row.retryAt !== null && row.retryAt.getTime() <= this.now()),
      retryWaiting: rows.some((row) => row.retryAt !== null),
      sending: rows.some((row) => row.sendingEpoch !== null),
      graceOver: rows.some((row) => this.isGraceOver(row)),
    };
  }
}

function laneOf(tables: Tables, senderId: string, epoch: Epoch) {
  return tables.lanes.find((row) => row.senderId === senderId && String(row.epoch) === epoch);
}

function unfinished(tables: Tables, senderId: string): JobRow[] {
  const ours = tables.jobs.filter((job) => job.senderId === senderId && job.completedAt === null);
  return ours.filter((job) => job.status !== 'Importing' && job.status !== 'Abandoned');
}

function owned(tables: Tables, jobId: string, epoch: Epoch): JobRow | undefined {
  return tables.jobs.find((job) => job.id === jobId && String(job.laneEpoch) === epoch);
}

function running(tables: Tables, jobId: string, epoch: Epoch): JobRow | undefined {
  const job = owned(tables, jobId, epoch);
  return job && (job.status === 'Queued' || job.status === 'Processing') ? job : undefined;
}

function hasEnded(job: JobRow): boolean {
  return job.status === 'Cancelled' || job.status === 'Failed';
}

function ofJob(tables: Tables, jobId: string): RecipientRow[] {
  return tables.recipients.filter((row) => row.jobId === jobId).sort((a, b) => a.position - b.position);
}

function claimed({ jobId, position, messageId, attempt, phone, parameters }: RecipientRow): ClaimedRecipient {
  return { jobId, position, messageId, attempt, phone, parameters, unwanted: false };
}

function locked(job: JobRow, rows: readonly RecipientRow[]): LockedJob {
  return {
    id: job.id,
    accountId: job.accountId,
    ended: hasEnded(job),
    templateName: job.templateName,
    languageCode: job.languageCode,
    revisionId: job.revisionId,
    headerMedia: job.headerMedia,
    reference: job.reference,
    recipients: rows.map((row): RecipientState => ({
      position: row.position,
      rowNumber: row.rowNumber,
      messageId: row.messageId,
      phone: row.phone,
      parameters: row.parameters,
      attempt: Math.max(1, row.attempt),
      strikes: row.strikes,
      throttles: row.throttles,
      retryAt: row.retryAt,
      unknownSince: row.unknownSince,
      outcome: row.outcome,
      problem:
        row.problem === null
          ? null
          : { code: row.problem, message: row.problemMessage ?? '', platformCode: row.platformCode },
    })),
  };
}
