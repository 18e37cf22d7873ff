import type { DueJob, JobScheduleStore } from '../../src/modules/delivery/domain/job-schedule-store.port';
import type { JobRow } from '../fakes/engine-rows';
import { LaneTables } from './lane-tables';

/** Starts scheduled jobs like the SQL of the real store; histories are too short for missed schedules. */
export class SimulatedJobScheduleStore extends LaneTables implements JobScheduleStore {
  startDue(): Promise<DueJob[]> {
    return this.database.statement('START_DUE', async (transaction) => {
      const isDue = (job: JobRow): boolean => this.isDue(job);
      const rows = this.server.unlocked(transaction, this.server.jobs, isDue);
      return (await this.server.update(transaction, rows, isDue, started)).map(dueJob);
    });
  }

  protected isDue({ status, scheduledAt }: JobRow): boolean {
    return status === 'Scheduled' && scheduledAt !== null && scheduledAt.getTime() <= this.now();
  }
}

/** The changes of a started job. */
export function started({ startedAt }: JobRow): Partial<JobRow> {
  return { status: startedAt === null ? 'Queued' : 'Processing' };
}

/** A started job, as the store returns it. */
export function dueJob({ id, accountId, senderId }: JobRow): DueJob {
  return { id, accountId, senderId, missed: false };
}
