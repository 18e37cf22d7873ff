import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { SenderSignal } from '../../sending/domain/sender-signal';
import { TemplateChanges } from '../../templates/domain/template-changes';
import { JobSchedules } from '../domain/job-schedules';
import { JobStatuses } from '../domain/job-statuses';
import { JobWindows } from '../domain/job-windows';
import { LaneDriver } from '../domain/lane-driver';
import { LaneQueue } from '../domain/lane-queue.port';
import { PauseExpiry } from '../domain/pause-expiry';
import { TemplateJobs } from '../domain/template-jobs';

/** The role of this process in delivery. */
export abstract class DeliveryRole {
  /** Whether it sends; otherwise it only wakes up other processes. */
  abstract readonly runsLanes: boolean;
}

/** Starts the lanes and the upkeep of jobs with the application, and stops them before it closes its connections. */
@Injectable()
export class DeliveryLifecycle implements OnApplicationBootstrap, OnModuleDestroy {
  private unsubscribe: (() => void) | null = null;

  constructor(
    private readonly driver: LaneDriver,
    private readonly queue: LaneQueue,
    private readonly signal: SenderSignal,
    private readonly role: DeliveryRole,
    private readonly jobStatuses: JobStatuses,
    private readonly templateChanges: TemplateChanges,
    private readonly templateJobs: TemplateJobs,
    private readonly pauseExpiry: PauseExpiry,
    private readonly schedules: JobSchedules,
    private readonly windows: JobWindows,
  ) {}

  onApplicationBootstrap(): void {
    this.templateChanges.onStatusChanged((changes) => this.templateJobs.apply(changes));
    for (const upkeep of this.upkeep) upkeep.start();
    this.unsubscribe = this.signal.onRunnable((senderId) => this.queue.wake(senderId));
    if (this.role.runsLanes) this.driver.start();
  }

  async onModuleDestroy(): Promise<void> {
    this.unsubscribe?.();
    await Promise.all([...this.upkeep, this.driver].map((running) => running.stop()));
    await this.queue.close();
  }

  private get upkeep() {
    return [this.jobStatuses, this.templateJobs, this.pauseExpiry, this.schedules, this.windows];
  }
}
