import type { BulkJob } from '../../src/modules/bulk-jobs/domain/bulk-job';
import type { UnsentRecipient } from '../../src/modules/bulk-jobs/domain/job-recipient';
import type { RecipientRow } from '../fakes/engine-rows';
import { withStores } from './planted-people-bugs';
import type { ProcessDatabase } from './process-database';
import { SimulatedBulkJobStore } from './simulated-bulk-job-store';
import { SimulatedJobErasureStore } from './simulated-erasures';
import { SimulatedJobIntakeStore } from './simulated-job-intake-store';
import { SimulatedLaneJobStore } from './simulated-lane-job-store';
import type { PlantedBug, Sabotage } from './world';

const withErasure = (Erasure: typeof SimulatedJobErasureStore): Sabotage =>
  withStores((database) => ({ jobErasure: new Erasure(database) }));

/** Sends to the recipients that it read, even if they were erased meanwhile. */
class ClaimsErased extends SimulatedLaneJobStore {
  protected override anySettled(): Promise<boolean> {
    return Promise.resolve(false);
  }
}

const claimsTheErased: Sabotage = (_parts, { link, terms }) => ({
  laneJobStore: new ClaimsErased(link as ProcessDatabase, terms),
});

/** Reads the progress of a job without locking it. */
class ErasesWithoutLock extends SimulatedJobErasureStore {
  protected override lockJob(jobId: string): ReturnType<SimulatedJobErasureStore['lockJob']> {
    return this.database
      .statement('READ_TO_ERASE', () => this.server.jobs.row(jobId).committed ?? [])
      .then((job) => [job].flat());
  }
}

/** Skips recipients without an outcome, including those in flight. */
class SkipsInFlight extends SimulatedJobErasureStore {
  protected override isUntried(): boolean {
    return true;
  }
}

/** Completes an erasure while a message is in flight. */
class CompletesInFlight extends SimulatedJobErasureStore {
  override async erase(...of: Parameters<SimulatedJobErasureStore['erase']>): Promise<boolean> {
    await super.erase(...of);
    return true;
  }
}

/** Retries all unsent recipients, including those who opted out. */
class RetriesSkipped extends SimulatedBulkJobStore {
  protected override unsentOf(job: BulkJob, row: RecipientRow): UnsentRecipient {
    return super.unsentOf(job, row.outcome === 'Skipped' ? { ...row, outcome: 'Failed', attempt: 1 } : row);
  }
}

/** Omits recipients that were never tried. */
class RetriesTriedOnly extends SimulatedBulkJobStore {
  override unsent(job: BulkJob, first: number, last: number): Promise<UnsentRecipient[]> {
    return super.unsent(job, first, Math.min(last, job.cursor - 1));
  }
}

/** Does not serialize concurrent retries of a job. */
class ConcurrentRetries extends SimulatedJobIntakeStore {
  override lockRetried(): Promise<void> {
    return Promise.resolve();
  }
}

/** Creates a job although another request has taken over the claim. */
const sealWithoutCheck: Sabotage = ({ people }) => {
  if (!people) return {};
  const { claims } = people;
  const seal = (): Promise<void> => Promise.resolve();
  return {
    people: {
      ...people,
      claims: async (key, resourceId) => {
        const claim = await claims(key, resourceId);
        return claim && { ...claim, seal };
      },
    },
  };
};

/** Planted bugs of erasures and retries. */
export const REQUEST_BUGS: readonly PlantedBug[] = [
  {
    bug: 'a claim misses a concurrent erasure',
    sabotage: claimsTheErased,
    breaks: ['nothing is sent to erased people', 'claims are committed before sending'],
  },
  {
    bug: 'an erasure does not lock the job',
    sabotage: withErasure(ErasesWithoutLock),
    breaks: ['nothing is sent to erased people', 'claims are committed before sending', 'proofs are recorded'],
  },
  {
    bug: 'an erasure skips a recipient whose message is in flight',
    sabotage: withErasure(SkipsInFlight),
    breaks: ['nothing is sent to erased people', 'claims are committed before sending', 'proofs are recorded'],
  },
  {
    bug: 'an erasure does not wait for the message in flight',
    sabotage: withErasure(CompletesInFlight),
    breaks: ['nothing is sent to erased people', 'no data of erased people is left'],
  },
  {
    bug: 'a retry sends to people who have opted out',
    sabotage: withStores((database) => ({ jobs: new RetriesSkipped(database) })),
    breaks: ['a retry has exactly the recipients of its scope'],
  },
  {
    bug: 'a retry omits recipients that were never tried',
    sabotage: withStores((database) => ({ jobs: new RetriesTriedOnly(database) })),
    breaks: ['a retry has exactly the recipients of its scope'],
  },
  {
    bug: 'concurrent retries do not see each other',
    sabotage: withStores((database) => ({ intakes: new ConcurrentRetries(database) })),
    breaks: ['a repeated retry returns a warning'],
  },
  {
    bug: 'a retry is created although its request was repeated',
    sabotage: sealWithoutCheck,
    breaks: ['a repeated request creates one job'],
  },
].map((planted) => ({ ...planted, scale: { managed: 1 } }));
