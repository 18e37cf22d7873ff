import { withStores } from './planted-people-bugs';
import type { ProcessDatabase } from './process-database';
import { SimulatedBulkJobStore } from './simulated-bulk-job-store';
import { SimulatedErasureStore } from './simulated-erasures';
import { SimulatedJobIntakeStore } from './simulated-job-intake-store';
import { SimulatedLaneJobStore } from './simulated-lane-job-store';
import { SimulatedSingleSendStore } from './simulated-single-send-store';
import type { PlantedBug, Sabotage } from './world';

/** Publishes a job by the process's own clock. */
const publishesByItsOwnClock = withStores((database, { clock }) => {
  class OwnClock extends SimulatedJobIntakeStore {
    protected override publishedAt(): Date {
      return clock.now();
    }
  }
  return { intakes: new OwnClock(database) };
});

/** Begins a job by the process's own clock, so that it seems newer or older than an erasure. */
const beginsByItsOwnClock = withStores((database, { clock }) => {
  class OwnClock extends SimulatedJobIntakeStore {
    protected override begunAt(): Date {
      return clock.now();
    }
  }
  return { intakes: new OwnClock(database) };
});

/** Erases a person from the jobs that began before the request by the process's own clock. */
const erasesByItsOwnClock = withStores((database, { clock }) => {
  class OwnClock extends SimulatedErasureStore {
    protected override requestedAt(): number {
      return clock.now().getTime();
    }
  }
  return { erasures: new OwnClock(database) };
});

/** Pauses, resumes and reschedules by the process's own clock. */
const changesByItsOwnClock = withStores((database, { clock }) => {
  class OwnClock extends SimulatedBulkJobStore {
    protected override now(): Date {
      return clock.now();
    }
  }
  return { jobs: new OwnClock(database) };
});

/** Lets a queued single send wait until a moment of the process's own clock. */
const queuesByItsOwnClock: Sabotage = ({ clock }, { link }) => {
  class OwnClock extends SimulatedSingleSendStore {
    protected override queuedAt(): Date {
      return clock.now();
    }
  }
  return { singleSendStore: new OwnClock(link as ProcessDatabase) };
};

/** Judges windows, validities, holds and retries of jobs by the process's own clock. */
const claimsByItsOwnClock: Sabotage = ({ clock }, { link, terms }) => {
  class OwnClock extends SimulatedLaneJobStore {
    protected override now(): number {
      return clock.now().getTime();
    }
  }
  return { laneJobStore: new OwnClock(link as ProcessDatabase, terms) };
};

/** Planted bugs that show only where the clock of a process is wrong by minutes. */
export const CLOCK_BUGS: readonly PlantedBug[] = [
  {
    bug: 'a job is published by the clock of its process',
    sabotage: publishesByItsOwnClock,
    breaks: ['a job is created at its moment', 'a schedule starts its job once', 'validity begins when a job may send'],
  },
  {
    bug: 'a job begins by the clock of its process, and misses an erasure',
    sabotage: beginsByItsOwnClock,
    breaks: ['no data of erased people is left', 'nothing is sent to erased people'],
  },
  {
    bug: 'an erasure is requested by the clock of its process',
    sabotage: erasesByItsOwnClock,
    breaks: ['no data of erased people is left', 'nothing is sent to erased people'],
  },
  {
    bug: 'a job is paused, resumed and rescheduled by the clock of a process',
    sabotage: changesByItsOwnClock,
    breaks: [
      ...['a pause lasts its full duration', 'nothing is sent before its schedule', 'a schedule starts its job once'],
      'validity begins when a job may send',
    ],
  },
  {
    bug: 'a queued single send waits by the clock of its process',
    sabotage: queuesByItsOwnClock,
    breaks: ['a queued single send does not wait'],
  },
  {
    bug: 'claims use the clock of their process',
    sabotage: claimsByItsOwnClock,
    breaks: ['claims use the current send window', 'nothing is sent outside its send window', 'validity is honoured'],
  },
].map((planted) => ({ ...planted, scale: { managed: 1, skewed: 1, scheduled: 1 } }));
