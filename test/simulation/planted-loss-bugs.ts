import type { LaneJob, OutcomeCounts } from '../../src/modules/delivery/domain/lane-job-store.port';
import { isEnded } from '../fakes/lane-rows';
import type { ProcessDatabase } from './process-database';
import { SimulatedLaneJobStore } from './simulated-lane-job-store';
import { SimulatedRestoredDatabase } from './simulated-restored-database';
import type { PlantedBug } from './world';

/** Long enough for a lane to forget the job. */
const HIDDEN_MS = 300;

/** Hides a job whose cursor was lowered until its lane has forgotten it, so that the lane does not compare the two cursors. */
class LoweredCursorsUnnoticed extends SimulatedLaneJobStore {
  private readonly cursors = new Map<string, number>();
  private readonly hiddenUntil = new Map<string, number>();

  override async unfinished(senderId: string): Promise<LaneJob[]> {
    return (await super.unfinished(senderId)).filter((job) => !this.isHidden(job));
  }

  private isHidden({ id, cursor }: LaneJob): boolean {
    const { now } = this.server.scheduler;
    const isLowered = cursor < (this.cursors.get(id) ?? 0);
    this.cursors.set(id, cursor);
    if (isLowered) this.hiddenUntil.set(id, now + HIDDEN_MS);
    return now < (this.hiddenUntil.get(id) ?? 0);
  }
}

/** Ends a cancelled job whose claimed recipients have lost their outcomes. */
class EndsWithOpenRows extends SimulatedLaneJobStore {
  override async countOutcomes(jobId: string, cursor: number): Promise<OutcomeCounts> {
    const counted = await super.countOutcomes(jobId, cursor);
    return isEnded(this.server.jobs.row(jobId).committed!) ? { ...counted, open: 0 } : counted;
  }
}

/** Sweeps without looking at the identity of the database. */
class IdentityIgnored extends SimulatedRestoredDatabase {
  override isUnchanged(): Promise<boolean> {
    return Promise.resolve(true);
  }
}

/** Planted bugs that show only after a database has lost its last transactions under running processes. */
export const LOSS_BUGS: readonly PlantedBug[] = [
  {
    bug: "a cursor below the lane's own is not noticed",
    sabotage: (_parts, { link, terms }) => ({
      laneJobStore: new LoweredCursorsUnnoticed(link as ProcessDatabase, terms),
    }),
    breaks: ['lost attempts are repeated only by a person'],
    scale: { lost: 1, jobs: [1], sizes: [60], paces: [20, 80] },
  },
  {
    bug: 'a cancelled job ends although outcomes of its claims are lost',
    sabotage: (_parts, { link, terms }) => ({ laneJobStore: new EndsWithOpenRows(link as ProcessDatabase, terms) }),
    breaks: ['a job ends without open rows'],
    scale: { lost: 1 },
  },
  {
    bug: 'sweeps do not look at the identity of the database',
    sabotage: (_parts, { link }) => ({ restoredDatabase: new IdentityIgnored(link as ProcessDatabase) }),
    breaks: [
      ...['lost attempts are repeated only by a person', 'lost transactions are noticed'],
      // A lane in the lost transactions and one after them have the same epoch.
      ...['stale epochs claim nothing', 'every job ends once'],
    ],
    scale: { lost: 1 },
  },
];
