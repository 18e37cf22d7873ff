import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { SendersService } from '../../accounts/domain/senders.service';
import { SendGateway } from '../../sending/domain/send-gateway';
import { SingleSends } from '../../sending/domain/single-sends';
import { TemplatesService } from '../../templates/domain/templates.service';
import { AfterRestore } from './after-restore';
import { LaneJobStore } from './lane-job-store.port';
import { LaneLeases } from './lane-leases.port';
import { Claims } from './claims';
import { LaneTelemetry } from './lane-telemetry';
import { Recorder } from './recorder';

/** The connections to the platform that the lanes of a process share; each request in flight uses one. */
export class PlatformConnections {
  private held = 0;
  /** Number of lanes that hold connections. */
  private holders = 0;

  constructor(private readonly total: number) {}

  /** The maximum for a lane that holds `own`: these and all free ones, at least its fair share. */
  maxFor(own: number): number {
    const lanes = own > 0 ? this.holders : this.holders + 1;
    return Math.max(1, Math.floor(this.total / lanes), own + this.total - this.held);
  }

  /** Records that a lane holds `after` connections instead of `before`. */
  changed(before: number, after: number): void {
    this.held += after - before;
    this.holders += Number(after > 0) - Number(before > 0);
  }
}

/** exclusive: no other process can exist, so leases never expire; renewed: they are renewed and can be lost. */
export type LeaseTerms = 'exclusive' | 'renewed';

/** The limits of one process. */
export abstract class LaneLimits {
  /** Maximum number of lanes. */
  abstract readonly maxLanes: number;
  /** Shared by the requests of all lanes. */
  abstract readonly connections: PlatformConnections;
  abstract readonly terms: LeaseTerms;
}

/** The dependencies of lanes, shared by all lanes of a process. */
@Injectable()
export class LaneParts {
  constructor(
    readonly unitOfWork: UnitOfWork,
    readonly leases: LaneLeases,
    readonly claims: Claims,
    readonly jobs: LaneJobStore,
    readonly recorder: Recorder,
    readonly singleSends: SingleSends,
    readonly senders: SendersService,
    readonly templates: TemplatesService,
    readonly sendGateway: SendGateway,
    readonly clock: Clock,
    readonly telemetry: LaneTelemetry,
    readonly limits: LaneLimits,
    readonly afterRestore: AfterRestore,
  ) {}
}
