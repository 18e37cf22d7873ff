import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { JobStatuses } from '../../delivery/domain/job-statuses.service';
import { isAccepted, MessageStatuses } from '../../messages/domain/message-statuses.service';
import type { StatusUpdate } from '../../messages/domain/status-update';
import { MarketingStops } from '../../sending/domain/marketing-stops.service';
import { SingleSends } from '../../sending/domain/single-sends.service';
import { Identities } from './identities.service';

/** What follows from the statuses that the platform reports. */
@Injectable()
export class StatusReports {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: JobStatuses,
    private readonly singleSends: SingleSends,
    private readonly messages: MessageStatuses,
    private readonly identities: Identities,
    private readonly marketingStops: MarketingStops,
  ) {}

  /** Applies all of the updates or none; returns how many of them match no message of this service. */
  async apply(updates: readonly StatusUpdate[]): Promise<{ unmatched: number }> {
    const applied = await this.unitOfWork.run(async () => {
      let named = await this.messages.named(updates);
      // Every status proves that the platform accepted the message; of nearly all of them that is recorded already.
      const proofs = updates.filter((update) => !isAccepted(update, named));
      if (proofs.length > 0) {
        await this.jobs.settle(proofs);
        await this.singleSends.settle(proofs);
        named = await this.messages.named(updates);
      }
      const { changes, unmatched } = await this.messages.apply(updates, named);
      await this.jobs.apply(changes);
      await this.identities.link(updates);
      await this.marketingStops.applyChanges(changes);
      return { unmatched };
    });
    await this.identities.join(updates.map(({ accountId, recipient }) => ({ accountId, userId: recipient?.userId })));
    return applied;
  }
}
