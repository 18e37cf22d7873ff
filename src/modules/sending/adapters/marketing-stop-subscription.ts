import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { PlatformStatuses } from '../../chat-history/domain/platform-statuses.service';
import { MarketingStops } from '../domain/marketing-stops.service';

/** Lets opt-outs hear of statuses before the first request comes in. */
@Injectable()
export class MarketingStopSubscription implements OnApplicationBootstrap {
  constructor(
    private readonly statuses: PlatformStatuses,
    private readonly stops: MarketingStops,
  ) {}

  onApplicationBootstrap(): void {
    this.statuses.onChanges((changes) => this.stops.heedChanges(changes));
  }
}
