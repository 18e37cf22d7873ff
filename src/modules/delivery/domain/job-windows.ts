import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { SenderSignal } from '../../sending/domain/sender-signal';
import { JobRounds } from './job-rounds';
import { JobWindowStore } from './job-window-store.port';
import { LaneTelemetry } from './lane-telemetry';

const JOBS_AT_ONCE = 500;

/**
 * Marks running jobs outside their send window until it opens. The mark triggers the event `job.throttled`, once each time the window
 * closes, and counts the job as waiting. Until the window opens the jobs are at rest, and no lane reads them.
 */
@Injectable()
export class JobWindows extends JobRounds {
  constructor(
    private readonly store: JobWindowStore,
    telemetry: LaneTelemetry,
    private readonly signal: SenderSignal,
    clock: Clock,
  ) {
    super(telemetry, clock, { name: 'job_windows', everyMs: 300, jitterMs: 100 });
  }

  async round(): Promise<void> {
    let woken: string[];
    do {
      woken = await this.store.wakeOpen(JOBS_AT_ONCE);
      for (const senderId of new Set(woken)) this.signal.runnable(senderId);
    } while (woken.length === JOBS_AT_ONCE);
    while ((await this.store.markClosed(JOBS_AT_ONCE)) === JOBS_AT_ONCE);
  }
}
