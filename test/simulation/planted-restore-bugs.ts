import type { ProcessDatabase } from './process-database';
import { SimulatedLaneJobStore } from './simulated-lane-job-store';
import { SimulatedRestoredDatabase } from './simulated-restored-database';
import { SimulatedSingleSendStore } from './simulated-single-send-store';
import type { PlantedBug } from './world';

/** Continues all open work of the restored database. */
class JobsContinueAfterRestore extends SimulatedRestoredDatabase {
  override pauseJobs(): Promise<never[]> {
    return Promise.resolve([]);
  }
}

/** Sends single sends of the copy when they are due. */
class SinglesContinueAfterRestore extends SimulatedSingleSendStore {
  override lockOpen(): ReturnType<SimulatedSingleSendStore['lockOpen']> {
    return Promise.resolve({ now: new Date(0), sends: [] });
  }
}

/** Adds a late proof to the counters of a job that already counted the recipient as failed. */
class EndIgnored extends SimulatedLaneJobStore {
  protected override async lockJobs(ids: readonly string[]): ReturnType<SimulatedLaneJobStore['lockJobs']> {
    const { now, jobs } = await super.lockJobs(ids);
    return { now, jobs: jobs.map((job) => ({ ...job, completed: false })) };
  }
}

/** Claims without checking for proofs since the recipients were read. */
class ClaimsSettled extends SimulatedLaneJobStore {
  protected override anySettled(): Promise<boolean> {
    return Promise.resolve(false);
  }
}

/** Planted bugs that show only after a restore. */
export const RESTORE_BUGS: readonly PlantedBug[] = [
  {
    bug: 'the jobs of a restored database continue without a person',
    sabotage: (_parts, { link }) => ({ restoredDatabase: new JobsContinueAfterRestore(link as ProcessDatabase) }),
    breaks: ['restored work waits for a person'],
  },
  {
    bug: 'the single sends of a restored database are sent',
    sabotage: (_parts, { link }) => ({ singleSendStore: new SinglesContinueAfterRestore(link as ProcessDatabase) }),
    breaks: ['restored work waits for a person'],
  },
  {
    bug: 'a proof after the end of a restored job is counted in addition to its failure',
    sabotage: (_parts, { link, terms }) => ({ laneJobStore: new EndIgnored(link as ProcessDatabase, terms) }),
    breaks: ['counters equal rows'],
  },
  {
    bug: 'a claim takes a recipient that a proof has settled meanwhile',
    sabotage: (_parts, { link, terms }) => ({
      laneJobStore: new ClaimsSettled(link as ProcessDatabase, terms),
    }),
    breaks: ['claims are committed before sending'],
    scale: { restored: 1, jobs: [1], sizes: [60], paces: [10, 20] },
  },
];
