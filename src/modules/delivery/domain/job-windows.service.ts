import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { opensAt } from '../../bulk-jobs/domain/send-window';
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
    super(telemetry, clock, { everyMs: 800, jitterMs: 200 });
  }

  async round(): Promise<void> {
    for (const { id, sendWindow, at } of await this.store.closed(JOBS_AT_ONCE)) {
      await this.store.markClosed(id, opensAt(sendWindow, at));
    }
  }
}
