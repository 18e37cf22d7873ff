import type { ProcessDatabase } from './process-database';
import { SimulatedLaneJobStore } from './simulated-lane-job-store';
import { SimulatedRestoredDatabase } from './simulated-restored-database';
import { SimulatedSingleSendStore } from './simulated-single-send-store';
import type { PlantedBug } from './world';

/** Whatever the database knows as open goes on as before. */
class JobsGoOnAfterRestore extends SimulatedRestoredDatabase {
  override pauseJobs(): Promise<never[]> {
    return Promise.resolve([]);
  }
}

/** A single send that waited in the copy leaves once its time has come. */
class SinglesGoOnAfterRestore extends SimulatedSingleSendStore {
  override lockOpen(): ReturnType<SimulatedSingleSendStore['lockOpen']> {
    return Promise.resolve({ now: new Date(0), sends: [] });
  }
}

/** A proof for who was never tried is added to the counters of a job that counted them as failed at its end. */
class EndsUnseen extends SimulatedLaneJobStore {
  protected override async lockJobs(ids: readonly string[]): ReturnType<SimulatedLaneJobStore['lockJobs']> {
    const { now, jobs } = await super.lockJobs(ids);
    return { now, jobs: jobs.map((job) => ({ ...job, completed: false })) };
  }
}

/** A claim does not look for proofs that came since its recipients were read. */
class ClaimsWhomAProofSettled extends SimulatedLaneJobStore {
  protected override anySettled(): Promise<boolean> {
    return Promise.resolve(false);
  }
}

/** Bugs that show only after a restore. */
export const RESTORE_BUGS: readonly PlantedBug[] = [
  {
    bug: 'the jobs of a restored database go on by themselves',
    sabotage: (_parts, { link }) => ({ restoredDatabase: new JobsGoOnAfterRestore(link as ProcessDatabase) }),
    breaks: ['what was restored waits for a person'],
  },
  {
    bug: 'the single sends of a restored database are sent',
    sabotage: (_parts, { link }) => ({ singleSendStore: new SinglesGoOnAfterRestore(link as ProcessDatabase) }),
    breaks: ['what was restored waits for a person'],
  },
  {
    bug: 'a proof after the end of a restored job counts beside its failure',
    sabotage: (_parts, { link, terms }) => ({ laneJobStore: new EndsUnseen(link as ProcessDatabase, terms) }),
    breaks: ['counters equal rows'],
  },
  {
    bug: 'a claim takes somebody whom a proof has settled since they were read',
    sabotage: (_parts, { link, terms }) => ({
      laneJobStore: new ClaimsWhomAProofSettled(link as ProcessDatabase, terms),
    }),
    breaks: ['intent first'],
    scale: { restored: 1, jobs: [1], sizes: [60], paces: [10, 20] },
  },
];
