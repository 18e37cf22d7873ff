import { Injectable } from '@nestjs/common';
import type { Sender } from '../../accounts/domain/sender';
import { SendersService } from '../../accounts/domain/senders.service';
import { SendGateway } from '../../sending/domain/send-gateway';
import { TierBudget } from '../../sending/domain/tier-budget';
import type { BulkJob } from './bulk-job';
import { BulkJobStore } from './bulk-job-store.port';
import type { SendLimits } from './send-forecast';

/** Reads the current limits on the speed of jobs. */
@Injectable()
export class SendForecasts {
  constructor(
    private readonly gateway: SendGateway,
    private readonly tierBudget: TierBudget,
    private readonly jobs: BulkJobStore,
    private readonly senders: SendersService,
  ) {}

  /** The limits for one job of the sender; `jobId` null: for a job that does not exist yet. */
  async limitsOf(sender: Sender, jobId: string | null): Promise<SendLimits> {
    const [pace, othersOpen, use] = await Promise.all([
      this.gateway.currentPace(sender),
      this.jobs.openOfOthers(sender.id, jobId),
      this.tierBudget.useOf(sender),
    ]);
    return {
      perSecond: sender.sendingPaused ? 0 : pace,
      othersOpen,
      tier: use && { limit: Number(sender.messagingTier), ...use },
    };
  }

  /** The limits of a job. */
  async limitsOfJob({ accountId, senderId, id }: BulkJob): Promise<SendLimits> {
    const sender = await this.senders.byId(senderId);
    return this.limitsOf(sender ?? (await this.senders.ofAccount(accountId)), id);
  }

  /** Counts the people who are not in the window of the messaging tier and would count towards it. */
  async newAmong(sender: Sender, people: readonly string[]): Promise<number> {
    return people.length - (await this.tierBudget.knownAmong(sender, people)).size;
  }
}
