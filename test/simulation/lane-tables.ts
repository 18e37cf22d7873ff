import { type Epoch, type LaneJob, LaneStore } from '../../src/modules/delivery/domain/lane-store.port';
import type { JobRow, LaneRow, RecipientRow } from '../fakes/memory-database';
import type { DatabaseServer, Transaction } from './database-server';
import type { StoreTerms } from './history-database';
import { laneJob, VISIBLE } from './lane-rows';
import type { ProcessDatabase } from './process-database';
import type { Row } from './table';

/** How long a lease lasts after its last renewal. */
export const LEASE_MS = 4000;

/** Which jobs a statement is about. */
export type JobWhere = (job: JobRow) => boolean;

/** The statements that the methods of the lane store are made of. */
export abstract class LaneTables extends LaneStore {
  protected readonly server: DatabaseServer;

  constructor(
    protected readonly database: ProcessDatabase,
    protected readonly terms: StoreTerms,
  ) {
    super();
    this.server = database.server;
  }

  protected takeLane(senderId: string): Promise<number | null> {
    const { owner, exclusive } = this.terms;
    const row = this.server.lanes.row(senderId);
    return this.database.statement('TAKE_LANE', async (transaction) => {
      const wait = this.server.lock(transaction, row);
      if (wait) await wait;
      const held = row.seenBy(transaction);
      if (held && held.leaseUntil >= this.now() && !exclusive) return null;
      const epoch = (held?.epoch ?? 0) + 1;
      const leaseUntil = exclusive ? Infinity : this.now() + LEASE_MS;
      const lane: LaneRow = { senderId, epoch, owner, leaseUntil, throttledReason: null, throttledUntil: null };
      transaction.writes.set(row, lane);
      return epoch;
    });
  }

  protected updateLane(
    name: string,
    senderId: string,
    epoch: Epoch,
    change: () => Partial<LaneRow>,
  ): Promise<LaneRow[]> {
    return this.database.statement(name, (transaction) =>
      this.server.update(
        transaction,
        [this.server.lanes.row(senderId)],
        (lane) => String(lane.epoch) === epoch,
        change,
      ),
    );
  }

  protected updateJobs(
    name: string,
    senderId: string,
    where: JobWhere,
    change: (job: JobRow) => Partial<JobRow>,
  ): Promise<JobRow[]> {
    return this.database.statement(name, (transaction) =>
      this.server.update(
        transaction,
        this.server.jobs.rows.values(),
        (job) => job.senderId === senderId && where(job),
        change,
      ),
    );
  }

  protected readJobs(senderId: string): Promise<{ job: JobRow; seen: LaneJob }[]> {
    return this.database.statement('LOOK', () => {
      const jobs = [...this.server.jobs.committed()].filter(
        (job) => job.senderId === senderId && job.completedAt === null && VISIBLE.includes(job.status),
      );
      return jobs
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .map((job) => ({ job, seen: laneJob(job, this.rowsOf(job.id), this.now(), this.terms.graceMs) }));
    });
  }

  protected lockJobs(ids: readonly string[]): Promise<{ now: Date; jobs: JobRow[] }> {
    const rows = [...ids].sort().map((id) => this.server.jobs.row(id));
    return this.database.statement('LOCK_JOBS', async (transaction) => {
      const jobs = await this.server.select(transaction, rows, () => true);
      return { now: this.server.now(), jobs };
    });
  }

  protected async skip(jobId: string, positions: readonly number[]): Promise<void> {
    const problemMessage = 'The recipient has opted out of messages.';
    await this.database.statement('SKIP_OPTED_OUT', (transaction) =>
      this.server.update(
        transaction,
        positions.map((position) => this.recipient(jobId, position)),
        () => true,
        (): Partial<RecipientRow> => ({ outcome: 'Skipped', problem: 'opted_out', problemMessage }),
      ),
    );
  }

  /** The committed recipients of a job, by position. */
  protected rowsOf(jobId: string): RecipientRow[] {
    return this.server.recipientsOf(jobId).flatMap(({ committed }) => committed ?? []);
  }

  protected recipient(jobId: string, position: number): Row<RecipientRow> {
    return this.server.recipientsOf(jobId)[position - 1]!;
  }

  protected seen(transaction: Transaction, jobId: string, position: number): RecipientRow[] {
    const row = this.server.recipientsOf(jobId)[position - 1]?.seenBy(transaction);
    return row ? [row] : [];
  }

  protected async strandRows(
    transaction: Transaction,
    jobs: readonly JobRow[],
    isInFlight: (job: JobRow, row: RecipientRow) => boolean,
  ): Promise<void> {
    for (const job of jobs) {
      const stranded = await this.server.update(
        transaction,
        this.server.recipientsOf(job.id),
        (row) => isInFlight(job, row),
        (row): Partial<RecipientRow> => ({
          outcome: 'Unknown',
          unknownSince: this.server.now(),
          attempt: Math.max(1, row.attempt),
          sendingEpoch: null,
        }),
      );
      if (stranded.length === 0) continue;
      await this.server.update(
        transaction,
        [this.server.jobs.row(job.id)],
        () => true,
        ({ unknown, unknownInGrace }) => ({
          unknown: unknown + stranded.length,
          unknownInGrace: unknownInGrace + stranded.length,
        }),
      );
    }
  }

  protected jobsOf(senderId: string, transaction: Transaction): JobRow[] {
    const seen = [...this.server.jobs.rows.values()].map((row) => row.seenBy(transaction));
    return seen.filter((job) => job?.senderId === senderId) as JobRow[];
  }

  protected now(): number {
    return this.server.now().getTime();
  }

  protected updateJob(
    name: string,
    id: string,
    where: JobWhere,
    change: (job: JobRow) => Partial<JobRow>,
  ): Promise<JobRow[]> {
    return this.database.statement(name, (transaction) =>
      this.server.update(transaction, [this.server.jobs.row(id)], where, change),
    );
  }
}
