import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { SendersService } from '../../accounts/domain/senders.service';
import { Outlet } from '../../sending/domain/outlet.service';
import { SingleSends } from '../../sending/domain/single-sends.service';
import { TemplatesService } from '../../templates/domain/templates.service';
import { LaneJournal } from './lane-journal';
import { LaneStore } from './lane-store.port';
import type { LeaseTerms } from './lease';
import { Recorder } from './recorder';

/** How much one process takes upon itself. */
export abstract class LaneLimits {
  /** Lanes at once. */
  abstract readonly maxLanes: number;
  /** Requests that may be out at once for one sender, however high its pace. */
  abstract readonly maxFlights: number;
  abstract readonly terms: LeaseTerms;
}

/** What lanes work with; one set for all lanes of a process. */
@Injectable()
export class LaneParts {
  constructor(
    readonly store: LaneStore,
    readonly recorder: Recorder,
    readonly singleSends: SingleSends,
    readonly senders: SendersService,
    readonly templates: TemplatesService,
    readonly outlet: Outlet,
    readonly clock: Clock,
    readonly unitOfWork: UnitOfWork,
    readonly journal: LaneJournal,
    readonly limits: LaneLimits,
  ) {}
}
