import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { TemplateChanges } from '../../templates/domain/template-changes';
import { PauseExpiry } from '../domain/pause-expiry.service';
import { StatusCounts } from '../domain/status-counts.service';
import { TemplateJobs } from '../domain/template-jobs.service';

/** Runs the upkeep of jobs: sums of reported statuses, ends of forgotten pauses, and stops and resumptions by the states of templates. */
@Injectable()
export class StatusLifecycle implements OnApplicationBootstrap, OnModuleDestroy {
  constructor(
    private readonly counts: StatusCounts,
    private readonly templateChanges: TemplateChanges,
    private readonly templateJobs: TemplateJobs,
    private readonly pauseExpiry: PauseExpiry,
  ) {}

  onApplicationBootstrap(): void {
    this.templateChanges.onStatusChanged((changes) => this.templateJobs.apply(changes));
    this.counts.start();
    this.templateJobs.start();
    this.pauseExpiry.start();
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.counts.stop(), this.templateJobs.stop(), this.pauseExpiry.stop()]);
  }
}
