import type { LaneJob } from '../../src/modules/delivery/domain/lane-job-store.port';
import type { DueJob } from '../../src/modules/delivery/domain/job-schedule-store.port';
import type { Epoch } from '../../src/modules/delivery/domain/lane-leases.port';
import { isExpired, isRunning } from '../fakes/lane-rows';
import type { JobRow } from '../fakes/engine-rows';
import type { StoreTerms } from './history-database';
import type { ProcessDatabase } from './process-database';
import { dueJob, SimulatedJobScheduleStore, started } from './simulated-job-schedule-store';
import { SimulatedLaneJobStore } from './simulated-lane-job-store';
import type { PlantedBug, Sabotage } from './world';

const withJobs =
  (Jobs: new (database: ProcessDatabase, terms: StoreTerms) => SimulatedLaneJobStore): Sabotage =>
  (_parts, { link, terms }) => ({ laneJobStore: new Jobs(link as ProcessDatabase, terms) });

const withSchedules =
  (Schedules: typeof SimulatedJobScheduleStore): Sabotage =>
  (_parts, { link, terms }) => ({ jobScheduleStore: new Schedules(link as ProcessDatabase, terms) });

/** Claims due retries at any hour. */
class RetriesAtAnyHour extends SimulatedLaneJobStore {
  override async unfinished(senderId: string): Promise<LaneJob[]> {
    const jobs = await super.unfinished(senderId);
    return jobs.map((job) => (job.retryDue ? { ...job, closed: false } : job));
  }

  protected override async lockRunning(jobId: string, epoch: Epoch): Promise<boolean> {
    const isToClaim = (job: JobRow): boolean =>
      String(job.laneEpoch) === epoch && isRunning(job) && !isExpired(job, this.now());
    const running = await this.database.statement('LOCK_RUNNING_JOB', (transaction) =>
      this.server.select(transaction, [this.server.jobs.row(jobId)], isToClaim),
    );
    return running.length > 0;
  }
}

/** Ignores the send window. */
class WindowIgnored extends SimulatedLaneJobStore {
  override async unfinished(senderId: string): Promise<LaneJob[]> {
    return (await super.unfinished(senderId)).map((job) => ({ ...job, closed: false }));
  }

  protected override isInWindow(): boolean {
    return true;
  }
}

/** Finds due jobs, and starts them without checking their status again. */
class StartsWithoutGuard extends SimulatedJobScheduleStore {
  override async startDue(): Promise<DueJob[]> {
    const due = await this.database.statement('DUE_JOBS', () =>
      [...this.server.jobs.rows.values()].filter(({ committed }) => committed && this.isDue(committed)),
    );
    return this.database.statement('START_DUE', async (transaction) =>
      (await this.server.update(transaction, due, () => true, started)).map(dueJob),
    );
  }
}

/** Starts every scheduled job immediately. */
class StartsImmediately extends SimulatedJobScheduleStore {
  protected override isDue({ status }: JobRow): boolean {
    return status === 'Scheduled';
  }
}

/** Uses the process's own clock to decide what is due. */
const startsByItsOwnClock: Sabotage = ({ clock }, { link, terms }) => {
  class OwnClock extends SimulatedJobScheduleStore {
    protected override isDue({ status, scheduledAt }: JobRow): boolean {
      return status === 'Scheduled' && scheduledAt! <= clock.now();
    }
  }
  return { jobScheduleStore: new OwnClock(link as ProcessDatabase, terms) };
};

/** Planted bugs of schedules and send windows. */
export const TIMING_BUGS: readonly PlantedBug[] = [
  {
    bug: 'a retry ignores the send window',
    sabotage: withJobs(RetriesAtAnyHour),
    breaks: ['claims use the current send window', 'nothing is sent outside its send window'],
  },
  {
    bug: 'claims ignore the send window',
    sabotage: withJobs(WindowIgnored),
    breaks: ['nothing is sent outside its send window'],
  },
  {
    bug: 'a scheduled job is started without looking at its status',
    sabotage: withSchedules(StartsWithoutGuard),
    breaks: ['a schedule starts its job once', 'an end is final', 'pause and cancel are honoured'],
  },
  {
    bug: 'a scheduled job starts before its moment',
    sabotage: withSchedules(StartsImmediately),
    breaks: ['a schedule starts its job once', 'nothing is sent before its schedule'],
  },
  {
    bug: 'a process whose clock is minutes ahead starts scheduled jobs by it',
    sabotage: startsByItsOwnClock,
    breaks: ['a schedule starts its job once', 'nothing is sent before its schedule'],
    scale: { skewed: 1 },
  },
];
