import type { DueJob, JobScheduleStore } from '../../src/modules/delivery/domain/job-schedule-store.port';
import type { JobRow } from '../fakes/memory-database';
import { LaneTables } from './lane-tables';

/** Schedules of jobs as the SQL of the real store starts them; histories are too short for one to be missed. */
export class SimulatedJobScheduleStore extends LaneTables implements JobScheduleStore {
  startDue(): Promise<DueJob[]> {
    return this.database.statement('START_DUE', async (transaction) => {
      // What somebody else has locked is left to him.
      const rows = [...this.server.jobs.rows.values()].filter((row) => row.isFreeFor(transaction, false));
      const isDue = (job: JobRow): boolean => this.isDue(job);
      return (await this.server.update(transaction, rows, isDue, started)).map(dueJob);
    });
  }

  protected isDue({ status, scheduledAt }: JobRow): boolean {
    return status === 'Scheduled' && scheduledAt !== null && scheduledAt.getTime() <= this.now();
  }
}

/** What the start of a job changes. */
export function started({ startedAt }: JobRow): Partial<JobRow> {
  return { status: startedAt === null ? 'Queued' : 'Processing', atRest: false };
}

/** A job that has started as the store tells of it. */
export function dueJob({ id, accountId, senderId }: JobRow): DueJob {
  return { id, accountId, senderId, missed: false };
}
