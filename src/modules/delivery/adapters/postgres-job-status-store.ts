import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { JobStatusStore, type NamedRecipient, type StatusDelta } from '../domain/job-status-store.port';
import type { JobStop } from '../domain/job-stop';
import type { NamedJob } from '../domain/lane-telemetry';
import * as sql from './job-status.sql';

/** Deltas read per delta folded, as the oldest ones may belong to locked jobs. */
const LOOK_AHEAD = 10;

/** Jobs, recipients and the table `job_status_deltas`. */
@Injectable()
export class PostgresJobStatusStore extends JobStatusStore {
  constructor(private readonly database: Database) {
    super();
  }

  async unsettled(
    recipients: readonly NamedRecipient[],
  ): Promise<{ jobId: string; position: number; wasUnknown: boolean }[]> {
    return this.database.rows(sql.UNSETTLED, [
      recipients.map(({ jobId }) => jobId),
      recipients.map(({ position }) => position),
      recipients.map(({ messageId }) => messageId),
      recipients.map(({ senderId }) => senderId),
    ]);
  }

  async stop(jobId: string, { final, problem, reason }: JobStop): Promise<NamedJob | null> {
    const { rows } = await this.database.execute<NamedJob>(sql.STOP, [jobId, final, problem, reason]);
    return rows[0] ?? null;
  }

  async expirePauses(
    days: number,
    { problem, reason }: JobStop,
    limit: number,
  ): Promise<(NamedJob & { senderId: string })[]> {
    const { rows } = await this.database.execute<NamedJob & { senderId: string }>(sql.EXPIRE_PAUSES, [
      ...[days, limit, problem, reason],
    ]);
    return rows;
  }

  async addDeltas(deltas: readonly StatusDelta[]): Promise<void> {
    await this.database.submit(sql.ADD_DELTAS, columnsOf(deltas));
  }

  foldDeltas(limit: number): Promise<number> {
    return this.database.transaction(async () => {
      const jobs = await this.database.rows<{ jobId: string }>(sql.JOBS_WITH_DELTAS, [limit * LOOK_AHEAD]);
      if (jobs.length === 0) return 0;
      const found = jobs.map(({ jobId }) => jobId);
      const free = await this.database.rows<{ id: string }>(sql.LOCK_FREE_JOBS, [found]);
      const taken = await this.database.rows<StatusDelta>(sql.TAKE_DELTAS, [free.map(({ id }) => id), found, limit]);
      const sums = new Map<string, StatusDelta>();
      for (const { jobId, delivered, read, undelivered } of taken) {
        const sum = sums.get(jobId) ?? { jobId, delivered: 0, read: 0, undelivered: 0 };
        sum.delivered += delivered;
        sum.read += read;
        sum.undelivered += undelivered;
        sums.set(jobId, sum);
      }
      if (sums.size > 0) await this.database.submit(sql.FOLD, columnsOf([...sums.values()]));
      return taken.length;
    });
  }
}

function columnsOf(deltas: readonly StatusDelta[]): unknown[] {
  return [
    deltas.map(({ jobId }) => jobId),
    deltas.map(({ delivered }) => delivered),
    deltas.map(({ read }) => read),
    deltas.map(({ undelivered }) => undelivered),
  ];
}
