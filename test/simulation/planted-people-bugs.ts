import type { BulkJob } from '../../src/modules/bulk-jobs/domain/bulk-job';
import type { BulkJobStore, JobTransition } from '../../src/modules/bulk-jobs/domain/bulk-job-store.port';
import type { JobRow } from '../fakes/engine-rows';
import type { StoreTerms } from './history-database';
import type { PeopleStores } from './people-stores';
import type { ProcessDatabase } from './process-database';
import { SimulatedBulkJobStore } from './simulated-bulk-job-store';
import { SimulatedJobScheduleStore } from './simulated-job-schedule-store';
import { SimulatedJobStatusStore } from './simulated-job-status-store';
import { SimulatedLaneJobStore } from './simulated-lane-job-store';
import type { ProcessParts } from './simulated-process';
import type { PlantedBug, Sabotage } from './world';

/** Replaces a store behind people's requests. */
export const withStores =
  (stores: (database: ProcessDatabase, parts: ProcessParts) => Partial<PeopleStores>): Sabotage =>
  (parts, { link }) => ({ people: parts.people && { ...parts.people, ...stores(link as ProcessDatabase, parts) } });

const withJobs = (Jobs: new (database: ProcessDatabase) => BulkJobStore): Sabotage =>
  withStores((database) => ({ jobs: new Jobs(database) }));

const withStatuses =
  (Statuses: typeof SimulatedJobStatusStore): Sabotage =>
  (_parts, { link, terms }) => ({ jobStatusStore: new Statuses(link as ProcessDatabase, terms.dayMs) });

const withLanes =
  (Jobs: new (database: ProcessDatabase, terms: StoreTerms) => SimulatedLaneJobStore): Sabotage =>
  (_parts, { link, terms }) => ({ laneJobStore: new Jobs(link as ProcessDatabase, terms) });

/** Claims with the window that the lane read earlier. */
class StaleWindow extends SimulatedLaneJobStore {
  protected override isInWindow(): boolean {
    return true;
  }
}

/** Starts a scheduled job even if it is on hold. */
class StartsPausedJobs extends SimulatedJobScheduleStore {
  protected override isDue({ status, ...job }: JobRow): boolean {
    return super.isDue({ ...job, status: status === 'Paused' ? 'Scheduled' : status });
  }
}

/** Counts the days of a pause from the start of the job. */
class PauseDaysSinceStart extends SimulatedJobStatusStore {
  protected override isOver(job: JobRow, before: number): boolean {
    return super.isOver({ ...job, pausedAt: job.pausedAt && (job.startedAt ?? job.pausedAt) }, before);
  }
}

/** Never expires pauses. */
class PausesWithoutEnd extends SimulatedJobStatusStore {
  protected override isOver(): boolean {
    return false;
  }
}

/** Releases a job without starting its validity. */
class ReleaseWithoutValidity extends SimulatedBulkJobStore {
  override change(accountId: string, jobId: string, { validFrom: _, ...transition }: JobTransition): Promise<boolean> {
    return super.change(accountId, jobId, transition);
  }
}

/** Changes the timing of a job based on an unlocked read. */
class TimingWithoutLock extends SimulatedBulkJobStore {
  override lock(accountId: string, jobId: string): Promise<BulkJob | null> {
    return this.find(accountId, jobId);
  }
}

/** Uses the machine's clock. */
const machineClock: Sabotage = ({ clock, people }) => ({
  people: people && { ...people, readTime: () => Promise.resolve(clock.now().getTime()) },
});

const startsPausedJobs: Sabotage = (_parts, { link, terms }) => ({
  jobScheduleStore: new StartsPausedJobs(link as ProcessDatabase, terms),
});

/** Planted bugs of people's requests. */
export const PEOPLE_BUGS: readonly PlantedBug[] = [
  {
    bug: 'a claim uses the window that its lane read before the change',
    sabotage: withLanes(StaleWindow),
    breaks: ['claims use the current send window', 'nothing is sent outside its send window'],
  },
  {
    bug: 'a job on hold starts at its schedule',
    sabotage: startsPausedJobs,
    breaks: ['a hold lasts until its release', 'only a person ends a pause', 'a schedule starts its job once'],
    scale: { scheduled: 1 },
  },
  {
    bug: 'the days of a pause count from the start of its job',
    sabotage: withStatuses(PauseDaysSinceStart),
    breaks: ['a pause lasts its full duration'],
  },
  {
    bug: 'a pause never expires',
    sabotage: withStatuses(PausesWithoutEnd),
    breaks: ['every job ends once'],
  },
  {
    bug: 'the release of a job does not begin its validity',
    sabotage: withJobs(ReleaseWithoutValidity),
    breaks: ['validity begins when a job may send'],
  },
  {
    bug: 'a process uses the clock of its machine, which is minutes wrong',
    sabotage: machineClock,
    breaks: ['validity begins when a job may send', 'a single send is valid for its time'],
    scale: { skewed: 1 },
  },
  {
    bug: 'the timing of a running job is changed',
    sabotage: withJobs(TimingWithoutLock),
    breaks: ['only waiting jobs are changed', 'nothing is sent before its schedule'],
    scale: { timed: 1 },
  },
].map((planted) => ({ ...planted, scale: { ...planted.scale, managed: 1 } }));
