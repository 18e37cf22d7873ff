import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { SenderSignal } from '../../sending/domain/sender-signal';
import { JobRounds } from './job-rounds';
import { JobScheduleStore } from './job-schedule-store.port';
import { LATEST_START_HOURS, MISSED_SCHEDULE } from './job-stop';
import { LaneTelemetry } from './lane-telemetry';

const JOBS_AT_ONCE = 100;

/** Starts jobs at their scheduled moment, whichever process looks first, and fails those whose moment nobody was there to see. */
@Injectable()
export class JobSchedules extends JobRounds {
  constructor(
    private readonly store: JobScheduleStore,
    telemetry: LaneTelemetry,
    private readonly signal: SenderSignal,
    clock: Clock,
  ) {
    super(telemetry, clock, { everyMs: 300, jitterMs: 100 });
  }

  async round(): Promise<void> {
    for (const job of await this.store.startDue(JOBS_AT_ONCE, LATEST_START_HOURS, MISSED_SCHEDULE)) {
      if (job.missed) this.telemetry.stopped(job, MISSED_SCHEDULE);
      else this.telemetry.due(job);
      this.signal.runnable(job.senderId);
    }
  }
}
