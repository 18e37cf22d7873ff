import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { Clock } from '../../../kernel/clock';
import { GroupCommit } from '../../../kernel/group-commit';
import type { Problem } from '../../sending/domain/send-state';
import type { JobStop } from '../domain/job-stop';
import {
  type ClaimedRecipient,
  type CounterChange,
  type FirstClaim,
  type HeldJob,
  type LaneJob,
  LaneJobStore,
  type LockedJob,
  type LockedRecipients,
  type NextRecipient,
  type OutcomeCounts,
  type RecipientState,
} from '../domain/lane-job-store.port';
import type { Epoch } from '../domain/lane-leases.port';
import * as sql from './lane-jobs.sql';
import { LaneStoreOptions, TOGETHER } from './lane-store-options';

/** Jobs in the table `bulk_jobs` and recipients in `job_recipients`. Each epoch is stored in the row that it protects. */
@Injectable()
export class PostgresLaneJobStore extends LaneJobStore {
  private readonly refreshes: GroupCommit<string, LaneJob[]>;

  constructor(
    private readonly database: Database,
    private readonly options: LaneStoreOptions,
    clock: Clock,
  ) {
    super();
    this.refreshes = new GroupCommit((senderIds) => this.unfinishedOf(senderIds), { ...TOGETHER, clock });
  }

  unfinished(senderId: string): Promise<LaneJob[]> {
    return this.refreshes.submit(senderId);
  }

  async adopt(senderId: string, epoch: Epoch): Promise<void> {
    await this.database.execute(sql.ADOPT_JOBS, [senderId, epoch]);
  }

  async takeOver(senderId: string, epoch: Epoch): Promise<void> {
    const lane = [senderId, epoch];
    // Separate statements: each sees what the previous one waited for; a single one would read stale rows.
    await this.adopt(senderId, epoch);
    const jobs = await this.database.rows<Pick<LaneJob, 'id' | 'settledBelow' | 'cursor'>>(
      sql.JOBS_WITH_FIRST_ATTEMPTS,
      lane,
    );
    for (const { id, settledBelow, cursor } of jobs) {
      await this.database.execute(sql.STRAND_FIRST_ATTEMPTS, [id, settledBelow, cursor]);
    }
    await this.database.execute(sql.STRAND_LATER_ATTEMPTS, lane);
    await this.database.execute(sql.SETTLE_BELOW_CURSOR, lane);
  }

  async putAtRest(ids: readonly string[], epoch: Epoch): Promise<void> {
    await this.database.rows(sql.LOCK_WAITING_JOBS, [ids, epoch]);
    await this.database.execute(sql.PUT_AT_REST, [ids, epoch]);
  }

  open(senderId: string, jobId: string, from: number, below: number, limit: number): Promise<NextRecipient[]> {
    return this.database.rows(sql.OPEN_RECIPIENTS, [jobId, from, below, limit, senderId]);
  }

  async claimFirst(job: LaneJob, epoch: Epoch, claim: FirstClaim, { code, message }: Problem): Promise<boolean> {
    const { toSend, skipped, cursor, settledBelow, heldUntil, heldByTier } = claim;
    const move = [cursor, settledBelow, skipped.length, heldUntil, heldByTier, false];
    if (!(await this.changes(sql.MOVE_CURSOR, [job.id, epoch, job.cursor, ...move]))) return false;
    const passed = [...toSend, ...skipped];
    const range = [Math.min(...passed), Math.max(...passed)];
    // A recipient may have been settled, and its person erased, between the read and the lock.
    if (passed.length > 0 && (await this.database.rows(sql.ANY_SETTLED, [job.id, passed, ...range])).length > 0) {
      return false;
    }
    if (skipped.length > 0) await this.database.submit(sql.SKIP, [job.id, skipped, code, message]);
    return true;
  }

  async claimDue(jobId: string, epoch: Epoch, limit: number): Promise<ClaimedRecipient[]> {
    const running = await this.database.rows(sql.LOCK_RUNNING_JOB, [jobId, epoch]);
    if (running.length === 0) return [];
    return (await this.database.execute<ClaimedRecipient>(sql.CLAIM_DUE, [jobId, epoch, limit])).rows;
  }

  async expire(
    job: LaneJob,
    epoch: Epoch,
    { cursor, settledBelow }: Pick<FirstClaim, 'cursor' | 'settledBelow'>,
    { code, message }: Problem,
  ): Promise<boolean> {
    const move = [job.id, epoch, job.cursor, cursor, settledBelow, 0, null, null, true];
    if (!(await this.changes(sql.MOVE_CURSOR, move))) return false;
    await this.database.submit(sql.FAIL_OPEN, [job.id, job.cursor, cursor, code, message]);
    return true;
  }

  laterAttempts(jobId: string, epoch: Epoch): Promise<{ position: number; attempt: number }[]> {
    return this.database.rows(sql.LATER_ATTEMPTS, [jobId, epoch]);
  }

  lock(places: readonly { jobId: string; position: number }[]): Promise<LockedRecipients> {
    const jobIds = places.map(({ jobId }) => jobId);
    const at = [jobIds, places.map(({ position }) => position)];
    return this.locked([...new Set(jobIds)], sql.RECIPIENTS_AT, at);
  }

  lockWaiting(jobId: string, which: 'grace over' | 'retry', limit: number): Promise<LockedRecipients> {
    return which === 'retry'
      ? this.locked([jobId], sql.RECIPIENTS_WAITING, [jobId, limit])
      : this.locked([jobId], sql.RECIPIENTS_WITH_GRACE_OVER, [jobId, this.options.graceMs, limit]);
  }

  async save(jobId: string, recipients: readonly RecipientState[], counters: CounterChange): Promise<void> {
    const column = <T>(of: (recipient: RecipientState) => T): T[] => recipients.map(of);
    await this.database.submit(sql.SAVE_RECIPIENTS, [
      jobId,
      column((r) => r.position),
      column((r) => r.attempt),
      column((r) => r.strikes),
      column((r) => r.throttles),
      column((r) => r.retryAt),
      column((r) => r.unknownSince),
      column((r) => r.outcome),
      column((r) => r.problem?.code ?? null),
      column((r) => r.problem?.message ?? null),
      column((r) => r.problem?.platformCode ?? null),
    ]);
    const { successfullySent, failed, skipped, unknown, unknownInGrace } = counters;
    const added = [successfullySent, failed, skipped, unknown, unknownInGrace];
    await this.database.submit(sql.ADD_TO_COUNTERS, [jobId, ...added]);
  }

  async raiseSettledBelow(jobId: string, epoch: Epoch, settledBelow: number): Promise<void> {
    await this.database.execute(sql.RAISE_SETTLED_BELOW, [jobId, epoch, settledBelow]);
  }

  async beginUnknownWait(jobId: string, epoch: Epoch): Promise<Date | null> {
    const parameters = [jobId, epoch, this.options.graceMs];
    const [row] = await this.database.rows<{ until: Date | null }>(sql.BEGIN_UNKNOWN_WAIT, parameters);
    return row?.until ?? null;
  }

  async hold(jobId: string, epoch: Epoch, forMs: number): Promise<Date | null> {
    const [row] = await this.database.rows<{ until: Date }>(sql.HOLD, [jobId, epoch, forMs]);
    return row?.until ?? null;
  }

  async holdOfOtherSenders(senderId: string, forMs: number): Promise<HeldJob[]> {
    return (await this.database.execute<HeldJob>(sql.HOLD_OF_OTHER_SENDERS, [senderId, forMs])).rows;
  }

  stop(jobId: string, epoch: Epoch, { final, problem, reason }: JobStop): Promise<boolean> {
    return this.changes(sql.STOP, [jobId, epoch, final, problem, reason]);
  }

  async countOutcomes(jobId: string, cursor: number): Promise<OutcomeCounts> {
    const counted: OutcomeCounts = { sent: 0, failed: 0, open: 0, inGrace: 0 };
    for await (const range of this.ranges(jobId)) {
      for (const part of await this.database.rows<OutcomeCounts>(sql.COUNT_OUTCOMES, [jobId, ...range, cursor])) {
        counted.sent += part.sent;
        counted.failed += part.failed;
        counted.open += part.open;
        counted.inGrace += part.inGrace;
      }
    }
    return counted;
  }

  async strandOpen(jobId: string, epoch: Epoch, cursor: number): Promise<void> {
    for await (const [first, last] of this.ranges(jobId)) {
      await this.database.transaction(async () => {
        const owned = await this.database.rows(sql.LOCK_OWNED_JOB, [jobId, epoch]);
        const below = Math.min(last + 1, cursor);
        if (owned.length > 0) await this.database.execute(sql.STRAND_FIRST_ATTEMPTS, [jobId, first, below]);
      });
    }
  }

  complete(jobId: string, epoch: Epoch): Promise<boolean> {
    return this.changes(sql.COMPLETE, [jobId, epoch]);
  }

  repair(seen: LaneJob, epoch: Epoch, counted: OutcomeCounts): Promise<boolean> {
    const rows = [counted.sent, counted.failed, counted.inGrace];
    const counters = [seen.successfullySent, seen.failed, seen.unknownInGrace];
    return this.changes(sql.REPAIR, [seen.id, epoch, ...rows, ...counters]);
  }

  /** First and last positions of consecutive ranges. */
  private async *ranges(jobId: string): AsyncGenerator<[first: number, last: number]> {
    const [job] = await this.database.rows<{ total: number }>(
      'SELECT total_recipients AS total FROM bulk_jobs WHERE id = $1',
      [jobId],
    );
    const { proofRange } = this.options;
    for (let first = 1; first <= (job?.total ?? 0); first += proofRange) yield [first, first + proofRange - 1];
  }

  private async locked(jobIds: readonly string[], statement: string, parameters: unknown[]): Promise<LockedRecipients> {
    // Pipelined: the second statement runs after the first and sees what it waited for.
    const [jobs, recipients] = await Promise.all([
      this.database.rows<LockedJob & { now: Date }>(sql.LOCK_JOBS, [jobIds]),
      this.database.rows<RecipientState>(statement, parameters),
    ]);
    const byId = new Map(jobs.map((job) => [job.id, job]));
    const rows = recipients.flatMap((recipient) => {
      const job = byId.get(recipient.jobId);
      return job ? [{ ...recipient, job }] : [];
    });
    return { now: jobs[0]?.now ?? new Date(), rows };
  }

  private async changes(statement: string, parameters: unknown[]): Promise<boolean> {
    return (await this.database.execute(statement, parameters)).affected > 0;
  }

  private async unfinishedOf(senderIds: readonly string[]): Promise<LaneJob[][]> {
    const parameters = [[...new Set(senderIds)], this.options.graceMs];
    const rows = await this.database.rows<LaneJob & { senderId: string }>(sql.UNFINISHED_JOBS, parameters);
    const jobs = new Map<string, LaneJob[]>(senderIds.map((senderId) => [senderId, []]));
    for (const { senderId, ...job } of rows) jobs.get(senderId)!.push(job);
    return senderIds.map((senderId) => jobs.get(senderId)!);
  }
}
