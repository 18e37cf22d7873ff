import type { BulkJob } from '../../src/modules/bulk-jobs/domain/bulk-job';
import type { UnsentRecipient } from '../../src/modules/bulk-jobs/domain/job-recipient';
import type { RecipientRow } from '../fakes/engine-rows';
import type { PeopleStores } from './people-stores';
import type { ProcessDatabase } from './process-database';
import { SimulatedBulkJobStore } from './simulated-bulk-job-store';
import { SimulatedJobErasureStore } from './simulated-erasures';
import { SimulatedJobIntakeStore } from './simulated-job-intake-store';
import { SimulatedLaneJobStore } from './simulated-lane-job-store';
import type { PlantedBug, Sabotage } from './world';

const withStores =
  (stores: (database: ProcessDatabase) => Partial<PeopleStores>): Sabotage =>
  ({ people }, { link }) => ({ people: people && { ...people, ...stores(link as ProcessDatabase) } });

const withErasure = (Erasure: typeof SimulatedJobErasureStore): Sabotage =>
  withStores((database) => ({ jobErasure: new Erasure(database) }));

/** A claim sends to whom it read, whatever an erasure has done meanwhile. */
class ClaimsTheErased extends SimulatedLaneJobStore {
  protected override anySettled(): Promise<boolean> {
    return Promise.resolve(false);
  }
}

const claimsTheErased: Sabotage = (_parts, { link, terms }) => ({
  laneJobStore: new ClaimsTheErased(link as ProcessDatabase, terms),
});

/** An erasure reads how far its job is, and does not lock it. */
class ErasesWithoutLock extends SimulatedJobErasureStore {
  protected override lockJob(jobId: string): ReturnType<SimulatedJobErasureStore['lockJob']> {
    return this.database
      .statement('READ_TO_ERASE', () => this.server.jobs.row(jobId).committed ?? [])
      .then((job) => [job].flat());
  }
}

/** An erasure skips whoever has no outcome, also in flight. */
class ErasesInFlight extends SimulatedJobErasureStore {
  protected override isUntried(): boolean {
    return true;
  }
}

/** An erasure is done although a message is in flight. */
class WaitsForNoFlight extends SimulatedJobErasureStore {
  override async erase(...of: Parameters<SimulatedJobErasureStore['erase']>): Promise<boolean> {
    await super.erase(...of);
    return true;
  }
}

/** A retry takes whoever was not sent to, also those who opted out. */
class RetriesTheSkipped extends SimulatedBulkJobStore {
  protected override unsentOf(job: BulkJob, row: RecipientRow): UnsentRecipient {
    return super.unsentOf(job, row.outcome === 'Skipped' ? { ...row, outcome: 'Failed', attempt: 1 } : row);
  }
}

/** A retry leaves out who was never tried. */
class RetriesTheTried extends SimulatedBulkJobStore {
  override unsent(job: BulkJob, first: number, last: number): Promise<UnsentRecipient[]> {
    return super.unsent(job, first, Math.min(last, job.cursor - 1));
  }
}

/** Two retries of a job at the same moment do not wait for each other. */
class RetriesAtOnce extends SimulatedJobIntakeStore {
  override lockRetried(): Promise<void> {
    return Promise.resolve();
  }
}

/** A request creates its job although another one has taken its place. */
const sealsNothing: Sabotage = ({ people }) => {
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

/** Bugs of erasures and retries. */
export const REQUEST_BUGS: readonly PlantedBug[] = [
  {
    bug: 'a claim does not see that a recipient was erased meanwhile',
    sabotage: claimsTheErased,
    breaks: ['an erased person is not sent to', 'intent first'],
  },
  {
    bug: 'an erasure does not lock the job',
    sabotage: withErasure(ErasesWithoutLock),
    breaks: ['an erased person is not sent to', 'intent first', 'a proof is recorded'],
  },
  {
    bug: 'an erasure skips a recipient whose message is in flight',
    sabotage: withErasure(ErasesInFlight),
    breaks: ['an erased person is not sent to', 'intent first', 'a proof is recorded'],
  },
  {
    bug: 'an erasure does not wait for the message in flight',
    sabotage: withErasure(WaitsForNoFlight),
    breaks: ['an erased person is not sent to', 'nothing is left of an erased person'],
  },
  {
    bug: 'a retry sends to people who have opted out',
    sabotage: withStores((database) => ({ jobs: new RetriesTheSkipped(database) })),
    breaks: ['a retry sends to whom it is meant for'],
  },
  {
    bug: 'a retry leaves out those whose job ended before their turn',
    sabotage: withStores((database) => ({ jobs: new RetriesTheTried(database) })),
    breaks: ['a retry sends to whom it is meant for'],
  },
  {
    bug: 'two retries at the same moment do not see each other',
    sabotage: withStores((database) => ({ intakes: new RetriesAtOnce(database) })),
    breaks: ['a repeated retry is announced'],
  },
  {
    bug: 'a retry is created although its request was repeated',
    sabotage: sealsNothing,
    breaks: ['a repeated request creates one job'],
  },
].map((planted) => ({ ...planted, scale: { peopled: 1 } }));
