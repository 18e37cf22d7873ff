import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { SendersService } from '../../accounts/domain/senders.service';
import { SendGateway } from '../../sending/domain/send-gateway.service';
import { SingleSends } from '../../sending/domain/single-sends.service';
import { TemplatesService } from '../../templates/domain/templates.service';
import { AfterRestore } from './after-restore.service';
import { LaneJobStore } from './lane-job-store.port';
import { LaneLeases } from './lane-leases.port';
import { LaneOwnership } from './lane-ownership';
import type { LeaseTerms } from './lease';
import { LaneTelemetry } from './lane-telemetry';
import { Recorder } from './recorder';

/** The connections to the platform that the lanes of a process share: each request under way holds one. */
export class PlatformConnections {
  private held = 0;
  /** Lanes that hold any. */
  private holders = 0;

  constructor(private readonly total: number) {}

  /** Requests that a lane with `own` of them may have under way: those that are free, and at least its fair share. */
  mostFor(own: number): number {
    const lanes = own > 0 ? this.holders : this.holders + 1;
    return Math.max(1, Math.floor(this.total / lanes), own + this.total - this.held);
  }

  /** Takes note that a lane holds `after` instead of `before`. */
  changed(before: number, after: number): void {
    this.held += after - before;
    this.holders += Number(after > 0) - Number(before > 0);
  }
}

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
