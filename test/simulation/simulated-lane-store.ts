import type { JobStop } from '../../src/modules/delivery/domain/job-stop';
import {
  type ClaimedRecipient,
  type CounterChange,
  type Epoch,
  type FirstAttempts,
  type JobProof,
  type LaneJob,
  type LaneThrottle,
  type LockedJob,
  type RecipientState,
} from '../../src/modules/delivery/domain/lane-store.port';
import { EXPIRED } from '../../src/modules/sending/domain/send-state';
import type { JobRow, RecipientRow } from '../fakes/memory-database';
import {
  claimed,
  isComplete,
  isEnded,
  isExpired,
  isGraceOver,
  isRunnable,
  isRunning,
  lockedJob,
  VISIBLE,
} from './lane-rows';
import { type JobWhere, LaneTables, LEASE_MS } from './lane-tables';

/** The lane store statement by statement as the SQL of the real one, so that whatever can come between them does. */
export class SimulatedLaneStore extends LaneTables {
  sendersToRun(): Promise<string[]> {
    return this.database.statement('SENDERS_TO_RUN', () => {
      const now = this.now();
      const senders = new Set<string>();
      for (const job of this.server.jobs.committed()) {
        if (!senders.has(job.senderId) && isRunnable(job, this.rowsOf(job.id), now, this.terms.graceMs)) {
          senders.add(job.senderId);
        }
      }
      for (const send of this.server.singles.committed()) {
        if (send.sendingEpoch !== null || (send.retryAt && send.retryAt.getTime() <= now)) senders.add(send.senderId);
      }
      return [...senders].filter((id) => {
        const lane = this.server.lanes.row(id).committed;
        return !lane || lane.leaseUntil < now || this.terms.exclusive;
      });
    });
  }

  take(senderId: string, joined: (epoch: Epoch) => Promise<void>): Promise<Epoch | null> {
    return this.database.run(async () => {
      const epoch = await this.takeLane(senderId);
      if (epoch === null) return null;
      await this.stamp(senderId, epoch);
      await this.strand(senderId, epoch);
      await this.updateJobs(
        'SETTLE_BELOW_CURSOR',
        senderId,
        (job) => job.laneEpoch === epoch && job.completedAt === null && job.settledBelow < job.cursor,
        (job) => ({ settledBelow: job.cursor }),
      );
      await joined(String(epoch));
      return String(epoch);
    });
  }

  async renew(senderId: string, epoch: Epoch): Promise<boolean> {
    const renewed = await this.updateLane('RENEW_LANE', senderId, epoch, () => ({ leaseUntil: this.now() + LEASE_MS }));
    return renewed.length > 0;
  }

  async giveBack(senderId: string, epoch: Epoch): Promise<void> {
    const free = { owner: null, leaseUntil: -Infinity, throttledReason: null, throttledUntil: null };
    await this.updateLane('GIVE_LANE_BACK', senderId, epoch, () => free);
  }

  async look(senderId: string, epoch: Epoch): Promise<{ jobs: LaneJob[]; singleDue: boolean }> {
    let jobs = await this.readJobs(senderId);
    if (jobs.some(({ job }) => job.laneEpoch < Number(epoch))) {
      await this.database.run(async () => {
        if (await this.hold(senderId, epoch)) await this.stamp(senderId, Number(epoch));
      });
      jobs = await this.readJobs(senderId);
    }
    const singleDue = await this.database.statement('SINGLE_DUE', () => {
      const now = this.now();
      for (const send of this.server.singles.committed()) {
        if (send.senderId !== senderId || send.retryAt === null) continue;
        if (send.retryAt.getTime() <= now && send.validUntil.getTime() > now) return true;
      }
      return false;
    });
    return { jobs: jobs.filter(({ job }) => String(job.laneEpoch) === epoch).map(({ seen }) => seen), singleDue };
  }

  claimFirst(seen: LaneJob, epoch: Epoch, limit: number, settledBelow: number): Promise<FirstAttempts | null> {
    return this.database.run(async () => {
      const end = seen.totalRecipients + 1;
      const open = await this.database.statement('PEEK', () =>
        this.rowsOf(seen.id)
          .slice(seen.cursor - 1, end - 1)
          .filter((row) => row.outcome === null)
          .slice(0, limit),
      );
      const optedOut = await this.database.statement('OPT_OUTS', () =>
        open.filter((row) => this.server.optOuts.has(`${seen.accountId} ${row.phone}`)).map((row) => row.position),
      );
      const cursor = open.length < limit ? end : open.at(-1)!.position + 1;
      const moved = await this.updateJob(
        'MOVE_CURSOR',
        seen.id,
        (job) => this.mayClaim(job, epoch) && job.cursor === seen.cursor,
        (job) => ({
          cursor,
          settledBelow: Math.max(job.settledBelow, Math.min(settledBelow, cursor)),
          status: 'Processing',
          startedAt: job.startedAt ?? this.server.now(),
          skipped: job.skipped + optedOut.length,
          failed: job.failed + optedOut.length,
        }),
      );
      if (moved.length === 0) return null;
      if (optedOut.length > 0) await this.skip(seen.id, optedOut);
      const recipients = open.filter((row) => !optedOut.includes(row.position));
      return {
        recipients: recipients.map((row) => claimed(row, 1)),
        skipped: optedOut.length,
        cursor,
        heldUntil: null,
      };
    });
  }

  expireFirst(seen: LaneJob, epoch: Epoch, limit: number, settledBelow: number): Promise<number | null> {
    return this.database.run(async () => {
      const end = seen.totalRecipients + 1;
      const open = await this.database.statement('PEEK_EXPIRED', () =>
        this.rowsOf(seen.id)
          .slice(seen.cursor - 1, end - 1)
          .filter((row) => row.outcome === null)
          .slice(0, limit),
      );
      const cursor = open.length < limit ? end : open.at(-1)!.position + 1;
      const moved = await this.updateJob(
        'EXPIRE_CURSOR',
        seen.id,
        (job) =>
          String(job.laneEpoch) === epoch && isRunning(job) && isExpired(job, this.now()) && job.cursor === seen.cursor,
        (job) => ({
          cursor,
          settledBelow: Math.max(job.settledBelow, Math.min(settledBelow, cursor)),
          status: 'Processing',
          startedAt: job.startedAt ?? this.server.now(),
        }),
      );
      if (moved.length === 0) return null;
      await this.database.statement('EXPIRE_RECIPIENTS', async (transaction) => {
        const expired = await this.server.update(
          transaction,
          open.map(({ position }) => this.recipient(seen.id, position)),
          (row) => row.outcome === null,
          (): Partial<RecipientRow> => ({ outcome: 'Failed', problem: EXPIRED.code, problemMessage: EXPIRED.message }),
        );
        const row = this.server.jobs.row(seen.id);
        await this.server.update(
          transaction,
          [row],
          () => true,
          (job) => ({ failed: job.failed + expired.length }),
        );
      });
      return cursor;
    });
  }

  claimRetries(jobId: string, epoch: Epoch, limit: number): Promise<ClaimedRecipient[]> {
    return this.database.run(async () => {
      const running = await this.database.statement('LOCK_RUNNING_JOB', (transaction) =>
        this.server.select(transaction, [this.server.jobs.row(jobId)], (job) => this.mayClaim(job, epoch)),
      );
      if (running.length === 0) return [];
      const rows = await this.database.statement('CLAIM_RETRIES', (transaction) => {
        const due = this.rowsOf(jobId)
          .filter((row) => row.retryAt !== null && row.retryAt.getTime() <= this.now())
          .sort((a, b) => a.retryAt!.getTime() - b.retryAt!.getTime())
          .slice(0, limit);
        return this.server.update(
          transaction,
          due.map((row) => this.recipient(jobId, row.position)),
          () => true,
          (row) => ({ attempt: row.attempt + 1, sendingEpoch: Number(epoch), retryAt: null }),
        );
      });
      const isOut = (row: RecipientRow): boolean => {
        return this.server.optOuts.has(`${running[0]!.accountId} ${row.phone}`);
      };
      const optedOut = await this.database.statement('OPT_OUTS', () => rows.filter(isOut));
      return rows.map((row) => ({ ...claimed(row, row.attempt), unwanted: optedOut.includes(row) }));
    });
  }

  laterAttempts(jobId: string, epoch: Epoch): Promise<{ position: number; attempt: number }[]> {
    return this.database.statement('LATER_ATTEMPTS', () =>
      this.rowsOf(jobId)
        .filter((row) => row.sendingEpoch === Number(epoch) && row.outcome === null)
        .map(({ position, attempt }) => ({ position, attempt })),
    );
  }

  async raiseSettledBelow(jobId: string, epoch: Epoch, settledBelow: number): Promise<void> {
    await this.updateJob(
      'RAISE_SETTLED_BELOW',
      jobId,
      (job) => String(job.laneEpoch) === epoch && job.settledBelow < Math.min(settledBelow, job.cursor),
      (job) => ({ settledBelow: Math.min(settledBelow, job.cursor) }),
    );
  }

  async complete(jobId: string, epoch: Epoch): Promise<boolean> {
    const completed = await this.updateJob(
      'COMPLETE',
      jobId,
      (job) => String(job.laneEpoch) === epoch && isComplete(job),
      (job) => ({
        status: isEnded(job) ? job.status : 'Completed',
        failed: job.totalRecipients - job.successfullySent,
        startedAt: job.startedAt ?? this.server.now(),
        completedAt: this.server.now(),
        pauseReason: null,
      }),
    );
    return completed.length > 0;
  }

  prove(jobId: string): Promise<JobProof> {
    return this.database.statement('PROVE_RANGE', () => {
      const proof: JobProof = { sent: 0, failed: 0, open: 0, inGrace: 0 };
      for (const { outcome, problem } of this.rowsOf(jobId)) {
        if (outcome === null) proof.open++;
        else if (outcome === 'Sent') proof.sent++;
        else if (outcome === 'Unknown' && problem === null) proof.inGrace++;
        else proof.failed++;
      }
      return proof;
    });
  }

  async repair(seen: LaneJob, epoch: Epoch, proof: JobProof): Promise<boolean> {
    const repaired = await this.updateJob(
      'REPAIR',
      seen.id,
      (job) =>
        String(job.laneEpoch) === epoch &&
        job.completedAt === null &&
        job.successfullySent === seen.successfullySent &&
        job.failed === seen.failed &&
        job.unknownInGrace === seen.unknownInGrace,
      () => ({ successfullySent: proof.sent, failed: proof.failed, unknownInGrace: proof.inGrace }),
    );
    return repaired.length > 0;
  }

  async stop(jobId: string, epoch: Epoch, { final, reason }: JobStop): Promise<boolean> {
    const isOwned: JobWhere = (job) => String(job.laneEpoch) === epoch && isRunning(job);
    const change = final ? ({ status: 'Failed' } as const) : ({ status: 'Paused', pauseReason: reason } as const);
    const stopped = await this.updateJob('STOP', jobId, isOwned, () => change);
    return stopped.length > 0;
  }

  async showThrottle(senderId: string, epoch: Epoch, throttle: LaneThrottle | null): Promise<void> {
    const shown = { throttledReason: throttle?.reason ?? null, throttledUntil: throttle?.until ?? null };
    await this.updateLane('SHOW_THROTTLE', senderId, epoch, () => shown);
  }

  hold(senderId: string, epoch: Epoch): Promise<boolean> {
    const lane = this.server.lanes.row(senderId);
    return this.database.statement('HOLD_LANE', async (transaction) => {
      const held = await this.server.select(transaction, [lane], (row) => String(row.epoch) === epoch, true);
      return held.length > 0;
    });
  }

  async lockRecipients(at: readonly { jobId: string; position: number }[]): Promise<{ now: Date; jobs: LockedJob[] }> {
    const { now, jobs } = await this.lockJobs([...new Set(at.map(({ jobId }) => jobId))]);
    return this.database.statement('RECIPIENTS_AT', (transaction) => ({
      now,
      jobs: jobs.map((job) => {
        const positions = new Set(at.filter(({ jobId }) => jobId === job.id).map(({ position }) => position));
        return lockedJob(
          job,
          [...positions].flatMap((position) => this.seen(transaction, job.id, position)),
        );
      }),
    }));
  }

  async lockWaiting(
    jobId: string,
    which: 'grace over' | 'retry',
    limit: number,
  ): Promise<{ now: Date; jobs: LockedJob[] }> {
    const { now, jobs } = await this.lockJobs([jobId]);
    return this.database.statement('RECIPIENTS_WAITING', () => {
      const isWanted = (row: RecipientRow): boolean =>
        which === 'retry'
          ? row.retryAt !== null && row.outcome === null
          : row.outcome === 'Unknown' && isGraceOver(row, this.now(), this.terms.graceMs);
      const rows = this.rowsOf(jobId).filter(isWanted).slice(0, limit);
      return { now, jobs: jobs.map((job) => lockedJob(job, rows)) };
    });
  }

  async saveRecipients(jobId: string, recipients: readonly RecipientState[]): Promise<void> {
    const states = new Map(recipients.map((recipient) => [recipient.position, recipient]));
    await this.database.statement('SAVE_RECIPIENTS', (transaction) =>
      this.server.update(
        transaction,
        recipients.map(({ position }) => this.recipient(jobId, position)),
        () => true,
        ({ position }) => {
          const { attempt, strikes, throttles, retryAt, unknownSince, outcome, problem } = states.get(position)!;
          return {
            ...{ attempt, strikes, throttles, retryAt, unknownSince, outcome, sendingEpoch: null },
            problem: problem?.code ?? null,
            problemMessage: problem?.message ?? null,
            platformCode: problem?.platformCode ?? null,
          };
        },
      ),
    );
  }

  async addToCounters(jobId: string, change: CounterChange): Promise<void> {
    await this.updateJob(
      'ADD_TO_COUNTERS',
      jobId,
      () => true,
      (job) => ({
        successfullySent: job.successfullySent + change.successfullySent,
        failed: job.failed + change.failed,
        skipped: job.skipped + change.skipped,
        unknown: job.unknown + change.unknown,
        unknownInGrace: job.unknownInGrace + change.unknownInGrace,
      }),
    );
  }

  /** The fence of every claim. */
  protected mayClaim(job: JobRow, epoch: Epoch): boolean {
    return String(job.laneEpoch) === epoch && isRunning(job) && !isExpired(job, this.now());
  }

  protected isStamped(job: JobRow, epoch: number): boolean {
    return job.completedAt === null && job.laneEpoch < epoch && VISIBLE.includes(job.status);
  }

  protected stamp(senderId: string, epoch: number): Promise<JobRow[]> {
    return this.updateJobs(
      'STAMP_JOBS',
      senderId,
      (job) => this.isStamped(job, epoch),
      () => ({ laneEpoch: epoch }),
    );
  }

  /** What was in flight under an older epoch becomes unknown; jobs are seen as the transaction sees them now. */
  protected async strand(senderId: string, epoch: number): Promise<void> {
    const isStamped: JobWhere = (job) => job.laneEpoch === epoch && job.completedAt === null;
    await this.database.statement('STRAND_FIRST_ATTEMPTS', (transaction) =>
      this.strandRows(transaction, this.jobsOf(senderId, transaction).filter(isStamped), (job, row) =>
        this.isFirstInFlight(job, row),
      ),
    );
    await this.database.statement('STRAND_LATER_ATTEMPTS', (transaction) =>
      this.strandRows(
        transaction,
        this.jobsOf(senderId, transaction).filter(isStamped),
        (_job, row) => row.sendingEpoch !== null && row.sendingEpoch < epoch && row.outcome === null,
      ),
    );
  }

  protected isFirstInFlight(job: JobRow, row: RecipientRow): boolean {
    const isBetween = row.position >= job.settledBelow && row.position < job.cursor;
    return isBetween && row.outcome === null && row.retryAt === null;
  }
}
