import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { JobRounds } from './job-rounds';
import { JobWindowStore } from './job-window-store.port';
import { LaneTelemetry } from './lane-telemetry';

const JOBS_AT_ONCE = 100;

/**
 * Marks running jobs that are outside their send window until it opens: from the mark follow the event `job.throttled`, once for
 * each time that the window is closed, and the count of jobs that wait.
 */
@Injectable()
export class JobWindows extends JobRounds {
  constructor(
    private readonly store: JobWindowStore,
    telemetry: LaneTelemetry,
    clock: Clock,
  ) {
    super(telemetry, clock, { name: 'job_windows', everyMs: 800, jitterMs: 200 });
  }

  async round(): Promise<void> {
    while ((await this.store.markClosed(JOBS_AT_ONCE)) === JOBS_AT_ONCE);
  }
}
