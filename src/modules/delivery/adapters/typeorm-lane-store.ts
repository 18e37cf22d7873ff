import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import type { Sender } from '../../accounts/domain/sender';
import { OptOutsService } from '../../groups/domain/opt-outs.service';
import { TierBudget } from '../../sending/domain/tier-budget.service';
import { EXPIRED, type Outcome } from '../../sending/domain/send-state';
import type { HeaderMedia } from '../../templates/domain/sendable-template';
import type { JobStop } from '../domain/job-stop';
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
} from '../domain/lane-store.port';
import * as sql from './lane-store.sql';
import { unwanted } from './unwanted-recipients';

/** Who this process is among the ones that share the database. */
export abstract class LaneStoreOptions {
  /** Name of this process, unique among the running ones. */
  abstract readonly owner: string;
  /** No other process can be here: a lease is never doubted and never renewed. */
  abstract readonly exclusive: boolean;
  abstract readonly graceMs: number;
  /** Rows that one statement may count. */
  abstract readonly proofRange: number;
}

interface JobRow {
  id: string;
  account_id: string;
  status: LaneJob['status'];
  revision_id: string;
  header_media: HeaderMedia | null;
  total_recipients: number;
  cursor: number;
  settled_below: number;
  expired: boolean;
  held: boolean;
  lane_epoch: Epoch;
  successfully_sent: number;
  failed: number;
  unknown_in_grace: number;
  retry_due: boolean;
  retry_waiting: boolean;
  sending: boolean;
  grace_over: boolean;
}

interface LockedJobRow {
  id: string;
  account_id: string;
  status: string;
  template_name: string;
  language_code: string;
  revision_id: string;
  header_media: HeaderMedia | null;
  reference: string | null;
  now: Date;
}

interface RecipientRow {
  job_id: string;
  position: number;
  row_number: number;
  message_id: string;
  phone: string;
  parameters: string[];
  attempt: number;
  strikes: number;
  throttles: number;
  retry_at: Date | null;
  unknown_since: Date | null;
  outcome: Outcome | null;
  problem: string | null;
  problem_message: string | null;
  platform_code: number | null;
}

/** The job is not as it was seen; undoes what the claim took beside it. */
class ClaimLostError extends Error {}

/** Positions that one claim may look through for open ones. */
const CLAIM_RANGE = 5000;

/** Lanes and their jobs in PostgreSQL or the embedded database. Every fence stands on the row that it protects. */
@Injectable()
export class TypeOrmLaneStore extends LaneStore {
  constructor(
    private readonly database: Database,
    private readonly optOuts: OptOutsService,
    private readonly tierBudget: TierBudget,
    private readonly options: LaneStoreOptions,
  ) {
    super();
  }

  async sendersToRun(): Promise<string[]> {
    const { graceMs, exclusive } = this.options;
    const rows = await this.database.rows<{ sender_id: string }>(sql.SENDERS_TO_RUN, [graceMs, exclusive]);
    return rows.map((row) => row.sender_id);
  }

  take(senderId: string, joined: (epoch: Epoch) => Promise<void>): Promise<Epoch | null> {
    return this.database.transaction(async () => {
      const { owner, exclusive } = this.options;
      const [lane] = await this.database.rows<{ epoch: Epoch }>(sql.TAKE_LANE, [senderId, owner, exclusive]);
      if (!lane) return null;
      // Each statement sees what the one before it waited for: one statement for all would look at stale rows.
      await this.database.execute(sql.STAMP_JOBS, [senderId, lane.epoch]);
      const jobs = await this.database.rows<{ id: string; settled_below: number; cursor: number }>(
        sql.JOBS_WITH_FIRST_ATTEMPTS,
        [senderId, lane.epoch],
      );
      for (const { id, settled_below, cursor } of jobs) {
        await this.database.execute(sql.STRAND_FIRST_ATTEMPTS, [id, settled_below, cursor]);
      }
      await this.database.execute(sql.STRAND_LATER_ATTEMPTS, [senderId, lane.epoch]);
      await this.database.execute(sql.SETTLE_BELOW_CURSOR, [senderId, lane.epoch]);
      await joined(lane.epoch);
      return lane.epoch;
    });
  }

  async renew(senderId: string, epoch: Epoch): Promise<boolean> {
    return (await this.database.execute(sql.RENEW_LANE, [senderId, epoch])).affected > 0;
  }

  async giveBack(senderId: string, epoch: Epoch): Promise<void> {
    await this.database.execute(sql.GIVE_LANE_BACK, [senderId, epoch]);
  }

  async look(senderId: string, epoch: Epoch): Promise<{ jobs: LaneJob[]; singleDue: boolean }> {
    const read = (): Promise<JobRow[]> => this.database.rows<JobRow>(sql.LOOK, [senderId, this.options.graceMs]);
    let jobs = await read();
    if (jobs.some((job) => BigInt(job.lane_epoch) < BigInt(epoch))) {
      await this.database.transaction(async () => {
        if (await this.hold(senderId, epoch)) await this.database.execute(sql.STAMP_JOBS, [senderId, epoch]);
      });
      jobs = await read();
    }
    const singles = await this.database.rows(sql.SINGLE_DUE, [senderId]);
    return { jobs: jobs.filter((job) => job.lane_epoch === epoch).map(toLaneJob), singleDue: singles.length > 0 };
  }

  claimFirst(
    job: LaneJob,
    epoch: Epoch,
    limit: number,
    settledBelow: number,
    sender: Sender,
  ): Promise<FirstAttempts | null> {
    return this.database
      .transaction(async () => {
        const end = Math.min(job.cursor + CLAIM_RANGE, job.totalRecipients + 1);
        const open = await this.database.rows<RecipientRow>(sql.PEEK, [job.id, job.cursor, end, limit]);
        const optedOut = await unwanted(this.database, this.optOuts, job, open);
        const willing = open.filter((row) => !optedOut.has(row.phone));
        const { granted, until } = await this.tierBudget.takeInOrder(
          sender,
          willing.map((row) => ({ person: row.phone, messageId: row.message_id })),
        );
        const firstRefused = willing[granted.indexOf(false)];
        const cursor = firstRefused?.position ?? (open.length < limit ? end : open.at(-1)!.position + 1);
        const skipped = open
          .filter((row) => optedOut.has(row.phone) && row.position < cursor)
          .map((row) => row.position);
        const moved = [job.id, epoch, job.cursor, cursor, settledBelow, skipped.length, until, sender.messagingTier];
        if ((await this.database.execute(sql.MOVE_CURSOR, moved)).affected === 0) throw new ClaimLostError();
        const passed = open.filter((row) => row.position < cursor).map((row) => row.position);
        const settled = await this.database.rows(sql.SETTLED_MEANWHILE, [job.id, passed]);
        if (settled.length > 0) throw new ClaimLostError();
        if (skipped.length > 0) await this.database.execute(sql.SKIP_OPTED_OUT, [job.id, skipped]);
        const recipients = willing
          .filter((row) => row.position < cursor)
          .map((row) => claimed(job.id, { ...row, attempt: 1 }));
        return { recipients, skipped: skipped.length, cursor, heldUntil: until };
      })
      .catch((error: unknown) => {
        if (error instanceof ClaimLostError) return null;
        throw error;
      });
  }

  expireFirst(job: LaneJob, epoch: Epoch, limit: number, settledBelow: number): Promise<number | null> {
    return this.database.transaction(async () => {
      const cursor = Math.min(job.cursor + limit, job.totalRecipients + 1);
      const moved = [job.id, epoch, job.cursor, cursor, settledBelow];
      if ((await this.database.execute(sql.EXPIRE_CURSOR, moved)).affected === 0) return null;
      const expired = [job.id, job.cursor, cursor, EXPIRED.code, EXPIRED.message];
      await this.database.execute(sql.EXPIRE_RECIPIENTS, expired);
      return cursor;
    });
  }

  claimRetries(jobId: string, epoch: Epoch, limit: number): Promise<ClaimedRecipient[]> {
    return this.database.transaction(async () => {
      const [running] = await this.database.rows<{ account_id: string }>(sql.LOCK_RUNNING_JOB, [jobId, epoch]);
      if (!running) return [];
      const { rows } = await this.database.execute<RecipientRow>(sql.CLAIM_RETRIES, [jobId, epoch, limit]);
      const optedOut = await unwanted(this.database, this.optOuts, { id: jobId, accountId: running.account_id }, rows);
      return rows.map((row) => ({ ...claimed(jobId, row), unwanted: optedOut.has(row.phone) }));
    });
  }

  laterAttempts(jobId: string, epoch: Epoch): Promise<{ position: number; attempt: number }[]> {
    return this.database.rows(sql.LATER_ATTEMPTS, [jobId, epoch]);
  }

  async raiseSettledBelow(jobId: string, epoch: Epoch, settledBelow: number): Promise<void> {
    await this.database.execute(sql.RAISE_SETTLED_BELOW, [jobId, epoch, settledBelow]);
  }

  async complete(jobId: string, epoch: Epoch): Promise<boolean> {
    return (await this.database.execute(sql.COMPLETE, [jobId, epoch])).affected > 0;
  }

  async prove(jobId: string): Promise<JobProof> {
    const proof: JobProof = { sent: 0, failed: 0, open: 0, inGrace: 0 };
    const [job] = await this.database.rows<{ total: number }>(
      'SELECT total_recipients AS total FROM bulk_jobs WHERE id = $1',
      [jobId],
    );
    const { proofRange } = this.options;
    for (let first = 1; first <= (job?.total ?? 0); first += proofRange) {
      const [part] = await this.database.rows<{ sent: number; failed: number; open: number; in_grace: number }>(
        sql.PROVE_RANGE,
        [jobId, first, first + proofRange - 1],
      );
      if (!part) continue;
      proof.sent += part.sent;
      proof.failed += part.failed;
      proof.open += part.open;
      proof.inGrace += part.in_grace;
    }
    return proof;
  }

  async repair(seen: LaneJob, epoch: Epoch, proof: JobProof): Promise<boolean> {
    const counters = [proof.sent, proof.failed, proof.inGrace, seen.successfullySent, seen.failed, seen.unknownInGrace];
    return (await this.database.execute(sql.REPAIR, [seen.id, epoch, ...counters])).affected > 0;
  }

  async stop(jobId: string, epoch: Epoch, { final, problem, reason }: JobStop): Promise<boolean> {
    return (await this.database.execute(sql.STOP, [jobId, epoch, final, problem, reason])).affected > 0;
  }

  async showThrottle(senderId: string, epoch: Epoch, throttle: LaneThrottle | null): Promise<void> {
    const shown = [senderId, epoch, throttle?.reason ?? null, throttle?.until ?? null];
    await this.database.execute(sql.SHOW_THROTTLE, shown);
  }

  async hold(senderId: string, epoch: Epoch): Promise<boolean> {
    return (await this.database.rows(sql.HOLD_LANE, [senderId, epoch])).length > 0;
  }

  async lockRecipients(at: readonly { jobId: string; position: number }[]): Promise<{ now: Date; jobs: LockedJob[] }> {
    const jobs = await this.lockJobs([...new Set(at.map(({ jobId }) => jobId))]);
    const rows = await this.database.rows<RecipientRow>(sql.RECIPIENTS_AT, [
      at.map(({ jobId }) => jobId),
      at.map(({ position }) => position),
    ]);
    return locked(jobs, rows);
  }

  async lockWaiting(
    jobId: string,
    which: 'grace over' | 'retry',
    limit: number,
  ): Promise<{ now: Date; jobs: LockedJob[] }> {
    const jobs = await this.lockJobs([jobId]);
    const rows =
      which === 'retry'
        ? await this.database.rows<RecipientRow>(sql.RECIPIENTS_WAITING, [jobId, limit])
        : await this.database.rows<RecipientRow>(sql.RECIPIENTS_WITH_GRACE_OVER, [jobId, this.options.graceMs, limit]);
    return locked(jobs, rows);
  }

  async saveRecipients(jobId: string, recipients: readonly RecipientState[]): Promise<void> {
    const column = <T>(of: (recipient: RecipientState) => T): T[] => recipients.map(of);
    await this.database.execute(sql.SAVE_RECIPIENTS, [
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
  }

  async addToCounters(jobId: string, change: CounterChange): Promise<void> {
    const { successfullySent, failed, skipped, unknown, unknownInGrace } = change;
    await this.database.execute(sql.ADD_TO_COUNTERS, [
      jobId,
      successfullySent,
      failed,
      skipped,
      unknown,
      unknownInGrace,
    ]);
  }

  private lockJobs(ids: readonly string[]): Promise<LockedJobRow[]> {
    return this.database.rows<LockedJobRow>(sql.LOCK_JOBS, [ids]);
  }
}

function toLaneJob(row: JobRow): LaneJob {
  return {
    id: row.id,
    accountId: row.account_id,
    status: row.status,
    revisionId: row.revision_id,
    headerMedia: row.header_media,
    totalRecipients: row.total_recipients,
    cursor: row.cursor,
    settledBelow: row.settled_below,
    expired: row.expired,
    held: row.held,
    successfullySent: row.successfully_sent,
    failed: row.failed,
    unknownInGrace: row.unknown_in_grace,
    retryDue: row.retry_due,
    retryWaiting: row.retry_waiting,
    sending: row.sending,
    graceOver: row.grace_over,
  };
}

function claimed(jobId: string, row: RecipientRow): ClaimedRecipient {
  const { position, attempt, phone, parameters } = row;
  return { jobId, position, messageId: row.message_id, attempt, phone, parameters, unwanted: false };
}

function locked(jobs: readonly LockedJobRow[], rows: readonly RecipientRow[]): { now: Date; jobs: LockedJob[] } {
  return {
    now: jobs[0]?.now ?? new Date(),
    jobs: jobs.map((job) => ({
      id: job.id,
      accountId: job.account_id,
      ended: job.status === 'Cancelled' || job.status === 'Failed',
      templateName: job.template_name,
      languageCode: job.language_code,
      revisionId: job.revision_id,
      headerMedia: job.header_media,
      reference: job.reference,
      recipients: rows.filter((row) => row.job_id === job.id).map(toRecipient),
    })),
  };
}

function toRecipient(row: RecipientRow): RecipientState {
  return {
    position: row.position,
    rowNumber: row.row_number,
    messageId: row.message_id,
    phone: row.phone,
    parameters: row.parameters,
    // A claim by the cursor writes no row: the first attempt stands in it only once it is answered.
    attempt: Math.max(1, row.attempt),
    strikes: row.strikes,
    throttles: row.throttles,
    retryAt: row.retry_at,
    unknownSince: row.unknown_since,
    outcome: row.outcome,
    problem:
      row.problem === null
        ? null
        : { code: row.problem, message: row.problem_message ?? '', platformCode: row.platform_code },
  };
}
