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
import type { PlantedBug, Sabotage } from './world';

/** Stores of which people's requests get another one. */
const withStores =
  (stores: (database: ProcessDatabase) => Partial<PeopleStores>): Sabotage =>
  ({ people }, { link }) => ({ people: people && { ...people, ...stores(link as ProcessDatabase) } });

const withJobs = (Jobs: new (database: ProcessDatabase) => BulkJobStore): Sabotage =>
  withStores((database) => ({ jobs: new Jobs(database) }));

const withStatuses =
  (Statuses: typeof SimulatedJobStatusStore): Sabotage =>
  (_parts, { link, terms }) => ({ jobStatusStore: new Statuses(link as ProcessDatabase, terms.dayMs) });

const withLanes =
  (Jobs: new (database: ProcessDatabase, terms: StoreTerms) => SimulatedLaneJobStore): Sabotage =>
  (_parts, { link, terms }) => ({ laneJobStore: new Jobs(link as ProcessDatabase, terms) });

/** A claim respects the window that the lane saw when it looked. */
class WindowOfTheLook extends SimulatedLaneJobStore {
  protected override isInWindow(): boolean {
    return true;
  }
}

/** A schedule starts its job, whatever else it waits for. */
class StartsPausedJobs extends SimulatedJobScheduleStore {
  protected override isDue({ status, ...job }: JobRow): boolean {
    return super.isDue({ ...job, status: status === 'Paused' ? 'Scheduled' : status });
  }
}

/** The days of a pause count from the start of its job. */
class DaysSinceTheStart extends SimulatedJobStatusStore {
  protected override isOver(job: JobRow, before: number): boolean {
    return super.isOver({ ...job, pausedAt: job.pausedAt && (job.startedAt ?? job.pausedAt) }, before);
  }
}

/** No pause ever ends by itself. */
class PausesWithoutEnd extends SimulatedJobStatusStore {
  protected override isOver(): boolean {
    return false;
  }
}

/** A release leaves the validity as it is. */
class ValidityForgotten extends SimulatedBulkJobStore {
  override change(accountId: string, jobId: string, { validFrom: _, ...transition }: JobTransition): Promise<boolean> {
    return super.change(accountId, jobId, transition);
  }
}

/** The timing of a job is changed by what it was when it was read. */
class TimingWithoutLock extends SimulatedBulkJobStore {
  override lock(accountId: string, jobId: string): Promise<BulkJob | null> {
    return this.find(accountId, jobId);
  }
}

/** The clock of a process is that of its machine. */
const clockOfTheMachine: Sabotage = ({ clock, people }) => ({
  people: people && { ...people, readTime: () => Promise.resolve(clock.now().getTime()) },
});

const startsPausedJobs: Sabotage = (_parts, { link, terms }) => ({
  jobScheduleStore: new StartsPausedJobs(link as ProcessDatabase, terms),
});

/** Bugs of what people ask of jobs. */
export const PEOPLE_BUGS: readonly PlantedBug[] = [
  {
    bug: 'a claim respects the window that its lane saw before the window was changed',
    sabotage: withLanes(WindowOfTheLook),
    breaks: ['claims respect the window as it is', 'nothing leaves outside its send window'],
  },
  {
    bug: 'a job on hold starts at its schedule',
    sabotage: startsPausedJobs,
    breaks: ['a hold lasts until its release', 'only a person ends a pause', 'a schedule starts its job once'],
    scale: { timed: 1 },
  },
  {
    bug: 'the days of a pause count from the start of its job',
    sabotage: withStatuses(DaysSinceTheStart),
    breaks: ['a pause lasts its days'],
  },
  {
    bug: 'a pause never expires',
    sabotage: withStatuses(PausesWithoutEnd),
    breaks: ['every job ends once'],
  },
  {
    bug: 'the release of a job does not begin its validity',
    sabotage: withJobs(ValidityForgotten),
    breaks: ['validity counts from when a job may send'],
  },
  {
    bug: 'validity counts by the clock of a machine that is minutes ahead',
    sabotage: clockOfTheMachine,
    breaks: ['validity counts from when a job may send'],
    scale: { apart: 1 },
  },
  {
    bug: 'the timing of a job is changed although it runs again',
    sabotage: withJobs(TimingWithoutLock),
    breaks: ['only what waits is changed', 'nothing leaves before its schedule'],
  },
].map((planted) => ({ ...planted, scale: { ...planted.scale, peopled: 1 } }));
