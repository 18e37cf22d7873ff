import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { SingleSends } from '../../sending/domain/single-sends.service';
import { type LaneJob, LaneJobStore } from './lane-job-store.port';
import { type Epoch, LaneLeases } from './lane-leases.port';
import { RecipientStore } from './recipient-store.port';

/** Jobs of one statement. */
const MAX_PUT_AT_REST = 1000;

/** Makes a process the owner of a lane and of the jobs in it. */
@Injectable()
export class LaneOwnership {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly leases: LaneLeases,
    private readonly jobs: LaneJobStore,
    private readonly recipients: RecipientStore,
    private readonly singleSends: SingleSends,
  ) {}

  /**
   * Takes the lane and begins a new epoch: what was in flight under an older one becomes unknown, and its owner can claim
   * nothing any more. Null when another process owns the lane.
   */
  take(senderId: string): Promise<Epoch | null> {
    return this.unitOfWork.run(async () => {
      const epoch = await this.leases.take(senderId);
      if (epoch === null) return null;
      // Each statement sees what the one before it waited for: one statement for all would read stale rows.
      await this.jobs.adopt(senderId, epoch);
      for (const { id, settledBelow, cursor } of await this.jobs.withFirstAttempts(senderId, epoch)) {
        await this.recipients.strandFirstAttempts(id, settledBelow, cursor);
      }
      await this.recipients.strandLaterAttempts(senderId, epoch);
      await this.jobs.settleBelowCursor(senderId, epoch);
      await this.singleSends.strand(senderId, epoch);
      return epoch;
    });
  }

  /**
   * Adopts new jobs and reads all unfinished ones of the sender, oldest first; none for an epoch that is over. Paused jobs that
   * need no lane are put at rest: from then on they are not among them.
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

/** A paused job of which nothing is in flight or unknown, and something is left to be sent: it waits for a client. */
function needsNoLane(job: LaneJob): boolean {
  if (job.status !== 'Paused' || job.settledBelow < job.cursor || job.sending || job.unknownInGrace > 0) return false;
  return job.cursor <= job.totalRecipients || job.retryWaiting;
}
