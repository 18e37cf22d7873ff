import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { PlatformStatuses } from '../../chat-history/domain/platform-statuses.service';
import { TemplateChanges } from '../../templates/domain/template-changes';
import { StatusCounts } from '../domain/status-counts.service';
import { StatusStops } from '../domain/status-stops.service';
import { StatusSettlement } from '../domain/status-settlement.service';
import { TemplateJobs } from '../domain/template-jobs.service';

/** Lets jobs hear of statuses and templates before the first request comes in. */
@Injectable()
export class StatusLifecycle implements OnApplicationBootstrap, OnModuleDestroy {
  constructor(
    private readonly statuses: PlatformStatuses,
    private readonly settlement: StatusSettlement,
    private readonly counts: StatusCounts,
    private readonly stops: StatusStops,
    private readonly templateChanges: TemplateChanges,
    private readonly templateJobs: TemplateJobs,
  ) {}

  onApplicationBootstrap(): void {
    // For good: a webhook that comes while the service stops must still find everybody who has to know.
    this.statuses.onProofs((updates) => this.settlement.settle(updates));
    this.statuses.onChanges((changes) => this.counts.count(changes));
    this.statuses.onChanges((changes) => this.stops.heed(changes));
    this.templateChanges.onStatusChanged((changes) => this.templateJobs.heed(changes));
    this.counts.start();
    this.templateJobs.start();
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.counts.stop(), this.templateJobs.stop()]);
  }
}
