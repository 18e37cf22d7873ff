import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { PlatformStatuses } from '../../chat-history/domain/platform-statuses.service';
import { SingleSendProofs } from '../domain/single-send-proofs.service';

/** Lets single sends hear of statuses before the first request comes in. */
@Injectable()
export class SingleSendProofSubscription implements OnApplicationBootstrap {
  constructor(
    private readonly statuses: PlatformStatuses,
    private readonly proofs: SingleSendProofs,
  ) {}

  onApplicationBootstrap(): void {
    this.statuses.onProofs((updates) => this.proofs.settle(updates));
  }
}
