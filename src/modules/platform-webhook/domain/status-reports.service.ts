import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { StatusCounts } from '../../delivery/domain/status-counts.service';
import { StatusSettlement } from '../../delivery/domain/status-settlement.service';
import { StatusStops } from '../../delivery/domain/status-stops.service';
import { MessageStatuses } from '../../messages/domain/message-statuses.service';
import type { StatusUpdate } from '../../messages/domain/status-update';
import { MarketingStops } from '../../sending/domain/marketing-stops.service';
import { SingleSendProofs } from '../../sending/domain/single-send-proofs.service';

/** What follows from the statuses that the platform reports. */
@Injectable()
export class StatusReports {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly recipients: StatusSettlement,
    private readonly singleSends: SingleSendProofs,
    private readonly messages: MessageStatuses,
    private readonly jobCounts: StatusCounts,
    private readonly jobStops: StatusStops,
    private readonly marketingStops: MarketingStops,
  ) {}

  /** Applies all of the updates or none; returns how many of them match no message of this service. */
  apply(updates: readonly StatusUpdate[]): Promise<{ unmatched: number }> {
    return this.unitOfWork.run(async () => {
      // Every status proves that the platform accepted the message.
      await this.recipients.settle(updates);
      await this.singleSends.settle(updates);
      const { changes, unmatched } = await this.messages.apply(updates);
      await this.jobCounts.count(changes);
      await this.jobStops.apply(changes);
      await this.marketingStops.applyChanges(changes);
      return { unmatched };
    });
  }
}
