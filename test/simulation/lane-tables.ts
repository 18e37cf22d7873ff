import type { Epoch } from '../../src/modules/delivery/domain/lane-leases.port';
import type { JobRow, LaneRow, RecipientRow } from '../fakes/engine-rows';
import type { DatabaseServer } from './database-server';
import type { StoreTerms } from './history-database';
import type { ProcessDatabase } from './process-database';
import type { Row } from './table';

/** Selects the jobs of a statement. */
export type JobWhere = (job: JobRow) => boolean;

/** The shared parts of the lane stores' statements. */
export abstract class LaneTables {
  protected readonly server: DatabaseServer;

  constructor(
    protected readonly database: ProcessDatabase,
    protected readonly terms: StoreTerms,
  ) {
    this.server = database.server;
  }

  protected updateLane(
    name: string,
    senderId: string,
    epoch: Epoch,
    change: () => Partial<LaneRow>,
  ): Promise<LaneRow[]> {
    const row = this.server.lanes.row(senderId);
    return this.database.statement(name, (transaction) =>
      this.server.update(transaction, [row], (lane) => String(lane.epoch) === epoch, change),
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
        [...this.server.jobs.rows.values()].sort((a, b) => (a.key < b.key ? -1 : 1)),
        (job) => job.senderId === senderId && where(job),
        change,
      ),
    );
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

  /** The committed recipients of a job, by position. */
  protected rowsOf(jobId: string): RecipientRow[] {
    return this.server.recipientsOf(jobId).flatMap(({ committed }) => committed ?? []);
  }

  protected recipient(jobId: string, position: number): Row<RecipientRow> {
    return this.server.recipientsOf(jobId)[position - 1]!;
  }

  protected now(): number {
    return this.server.now().getTime();
  }
}
