import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import type { JobStop } from '../domain/job-stop';
import {
  type CounterChange,
  type CursorMove,
  type LaneJob,
  LaneJobStore,
  type LockedJob,
} from '../domain/lane-job-store.port';
import type { Epoch } from '../domain/lane-leases.port';
import type { OutcomeCounts } from '../domain/recipient-store.port';
import * as sql from './lane-jobs.sql';
import { LaneStoreOptions } from './lane-store-options';

/** Jobs in the table `bulk_jobs`. Every fence stands on the row that it protects. */
@Injectable()
export class PostgresLaneJobStore extends LaneJobStore {
  constructor(
    private readonly database: Database,
    private readonly options: LaneStoreOptions,
  ) {
    super();
  }

  unfinished(senderId: string): Promise<LaneJob[]> {
    return this.database.rows<LaneJob>(sql.UNFINISHED_JOBS, [senderId, this.options.graceMs]);
  }

  async adopt(senderId: string, epoch: Epoch): Promise<void> {
    await this.database.execute(sql.ADOPT_JOBS, [senderId, epoch]);
  }

  async putAtRest(ids: readonly string[], epoch: Epoch): Promise<void> {
    await this.database.rows(sql.LOCK_PAUSED_JOBS, [ids, epoch]);
    await this.database.execute(sql.PUT_AT_REST, [ids, epoch]);
  }

  withFirstAttempts(senderId: string, epoch: Epoch): Promise<{ id: string; settledBelow: number; cursor: number }[]> {
    return this.database.rows(sql.JOBS_WITH_FIRST_ATTEMPTS, [senderId, epoch]);
  }

  async settleBelowCursor(senderId: string, epoch: Epoch): Promise<void> {
    await this.database.execute(sql.SETTLE_BELOW_CURSOR, [senderId, epoch]);
  }

  moveCursor(job: LaneJob, epoch: Epoch, move: CursorMove): Promise<boolean> {
    const { to, settledBelow, skipped, heldUntil, heldByTier, expired } = move;
    const parameters = [job.id, epoch, job.cursor, to, settledBelow, skipped, heldUntil, heldByTier, expired];
    return this.changes(sql.MOVE_CURSOR, parameters);
  }

  async lockRunning(jobId: string, epoch: Epoch): Promise<boolean> {
    return (await this.database.rows(sql.LOCK_RUNNING_JOB, [jobId, epoch])).length > 0;
  }

  async raiseSettledBelow(jobId: string, epoch: Epoch, settledBelow: number): Promise<void> {
    await this.database.execute(sql.RAISE_SETTLED_BELOW, [jobId, epoch, settledBelow]);
  }

  complete(jobId: string, epoch: Epoch): Promise<boolean> {
    return this.changes(sql.COMPLETE, [jobId, epoch]);
  }

  repair(seen: LaneJob, epoch: Epoch, counted: OutcomeCounts): Promise<boolean> {
    const rows = [counted.sent, counted.failed, counted.inGrace];
    const counters = [seen.successfullySent, seen.failed, seen.unknownInGrace];
    return this.changes(sql.REPAIR, [seen.id, epoch, ...rows, ...counters]);
  }

  stop(jobId: string, epoch: Epoch, { final, problem, reason }: JobStop): Promise<boolean> {
    return this.changes(sql.STOP, [jobId, epoch, final, problem, reason]);
  }

  async lock(ids: readonly string[]): Promise<{ now: Date; jobs: LockedJob[] }> {
    const jobs = await this.database.rows<LockedJob & { now: Date }>(sql.LOCK_JOBS, [ids]);
    return { now: jobs[0]?.now ?? new Date(), jobs };
  }

  async addToCounters(jobId: string, change: CounterChange): Promise<void> {
    const { successfullySent, failed, skipped, unknown, unknownInGrace } = change;
    const changes = [successfullySent, failed, skipped, unknown, unknownInGrace];
    await this.database.execute(sql.ADD_TO_COUNTERS, [jobId, ...changes]);
  }

  private async changes(statement: string, parameters: unknown[]): Promise<boolean> {
    return (await this.database.execute(statement, parameters)).affected > 0;
  }
}
