import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { SingleSends } from '../../sending/domain/single-sends';
import { type LaneJob, LaneJobStore } from './lane-job-store.port';
import { type Epoch, LaneLeases } from './lane-leases.port';

/** Maximum number of jobs per statement. */
const MAX_PUT_AT_REST = 1000;

/** Makes a process the owner of a lane and of the jobs in it. */
@Injectable()
export class LaneOwnership {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly leases: LaneLeases,
    private readonly jobs: LaneJobStore,
    private readonly singleSends: SingleSends,
  ) {}

  /**
   * Takes the lane and begins a new epoch: recipients in flight under an older one become unknown, and its owner can no longer claim
   * anything. Null if another process owns the lane.
   */
  take(senderId: string): Promise<Epoch | null> {
    return this.unitOfWork.run(async () => {
      const epoch = await this.leases.take(senderId);
      if (epoch === null) return null;
      await this.jobs.takeOver(senderId, epoch);
      await this.singleSends.strand(senderId, epoch);
      return epoch;
    });
  }

  /**
   * Adopts new jobs and reads all unfinished ones of the sender, oldest first; none for a past epoch. Puts Paused and Scheduled jobs
   * that need no lane at rest, which excludes them from the next read.
   */
  async unfinishedJobs(senderId: string, epoch: Epoch): Promise<LaneJob[]> {
    let jobs = await this.jobs.unfinished(senderId);
    if (jobs.some(({ laneEpoch }) => BigInt(laneEpoch) < BigInt(epoch))) {
      await this.unitOfWork.run(async () => {
        if (await this.leases.hold(senderId, epoch)) await this.jobs.adopt(senderId, epoch);
      });
      jobs = await this.jobs.unfinished(senderId);
    }
    const owned = jobs.filter(({ laneEpoch }) => laneEpoch === epoch);
    const idle = owned.filter(needsNoLane).map(({ id }) => id);
    if (idle.length > 0) await this.unitOfWork.run(() => this.jobs.putAtRest(idle.slice(0, MAX_PUT_AT_REST), epoch));
    return owned;
  }
}

/** Whether a job only waits for a client or its schedule: nothing is in flight or unknown, and something is left to send. */
function needsNoLane(job: LaneJob): boolean {
  if (
    !['Paused', 'Scheduled'].includes(job.status) ||
    job.settledBelow < job.cursor ||
    job.sending ||
    job.unknownInGrace > 0
  )
    return false;
  return job.cursor <= job.totalRecipients || job.retryWaiting;
}
