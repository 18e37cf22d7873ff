import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { JobStatuses } from '../../delivery/domain/job-statuses';
import { isAccepted, MessageStatuses } from '../../messages/domain/message-statuses';
import type { StatusUpdate } from '../../messages/domain/status-update';
import { MarketingStops } from '../../sending/domain/marketing-stops';
import { SingleSends } from '../../sending/domain/single-sends';
import { Identities } from './identities';

/** Applies reported statuses. */
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

  /** Applies all updates or none; returns how many match no message of this service. */
  async apply(updates: readonly StatusUpdate[]): Promise<{ unmatched: number }> {
    const applied = await this.unitOfWork.run(async () => {
      let referenced = await this.messages.referenced(updates);
      // Every status proves that the platform accepted the message; for nearly all, that is already recorded.
      const proofs = updates.filter((update) => !isAccepted(update, referenced));
      if (proofs.length > 0) {
        await this.jobs.settle(proofs);
        await this.singleSends.settle(proofs);
        referenced = await this.messages.referenced(updates);
      }
      const { changes, unmatched } = await this.messages.apply(updates, referenced);
      await this.jobs.apply(changes);
      await this.identities.link(updates);
      await this.marketingStops.applyChanges(changes);
      return { unmatched };
    });
    await this.identities.join(updates.map(({ accountId, recipient }) => ({ accountId, userId: recipient?.userId })));
    return applied;
  }
}
