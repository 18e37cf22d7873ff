import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { SendersService } from '../../accounts/domain/senders.service';
import { SendGateway } from '../../sending/domain/send-gateway.service';
import { SingleSends } from '../../sending/domain/single-sends.service';
import { TemplatesService } from '../../templates/domain/templates.service';
import { Claims } from './claims';
import type { PlatformConnections } from './flight-room';
import { LaneJobStore } from './lane-job-store.port';
import { LaneLeases } from './lane-leases.port';
import { LaneOwnership } from './lane-ownership';
import type { LeaseTerms } from './lease';
import { LaneTelemetry } from './lane-telemetry';
import { RecipientStore } from './recipient-store.port';
import { Recorder } from './recorder';

/** How much one process takes upon itself. */
export abstract class LaneLimits {
  /** Lanes at once. */
  abstract readonly maxLanes: number;
  /** What the requests of all lanes share. */
  abstract readonly connections: PlatformConnections;
  abstract readonly terms: LeaseTerms;
}

/** What lanes work with; one set for all lanes of a process. */
@Injectable()
export class LaneParts {
  constructor(
    readonly leases: LaneLeases,
    readonly ownership: LaneOwnership,
    readonly jobs: LaneJobStore,
    readonly recipients: RecipientStore,
    readonly claims: Claims,
    readonly recorder: Recorder,
    readonly singleSends: SingleSends,
    readonly senders: SendersService,
    readonly templates: TemplatesService,
    readonly sendGateway: SendGateway,
    readonly clock: Clock,
    readonly unitOfWork: UnitOfWork,
    readonly telemetry: LaneTelemetry,
    readonly limits: LaneLimits,
  ) {}
}
