import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { Loop } from '../../../kernel/loop';
import { SenderSignal } from '../../sending/domain/sender-signal';
import { JobScheduleStore } from './job-schedule-store.port';
import { LATEST_START_HOURS, MISSED_SCHEDULE } from './job-stop';
import { LaneTelemetry } from './lane-telemetry';

const LOOK_EVERY_MS = 300;
const JITTER_MS = 100;
const JOBS_AT_ONCE = 100;

/** Starts jobs at their scheduled moment, whichever process looks first. */
@Injectable()
export class JobSchedules {
  private readonly loop: Loop;

  constructor(
    private readonly store: JobScheduleStore,
    private readonly telemetry: LaneTelemetry,
    private readonly signal: SenderSignal,
    clock: Clock,
  ) {
    this.loop = new Loop({
      clock,
      everyMs: LOOK_EVERY_MS,
      jitterMs: JITTER_MS,
      round: () => this.startDue(),
      failed: (error) => telemetry.failed(null, error),
    });
  }

  /** Begins to look for jobs that are due: three times a second. */
  start(): void {
    this.loop.start();
  }

  /** Resolves after the round under way. */
  stop(): Promise<void> {
    return this.loop.stop();
  }

  /** Starts the jobs that are due, and fails those whose moment nobody was there to see; the rest of very many at the next round. */
  async startDue(): Promise<void> {
    for (const job of await this.store.startDue(JOBS_AT_ONCE, LATEST_START_HOURS, MISSED_SCHEDULE)) {
      if (job.missed) this.telemetry.stopped(job, MISSED_SCHEDULE);
      else this.telemetry.due(job);
      this.signal.runnable(job.senderId);
    }
  }
}
