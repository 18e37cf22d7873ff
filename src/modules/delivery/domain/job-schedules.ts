import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { SenderSignal } from '../../sending/domain/sender-signal';
import { JobRounds } from './job-rounds';
import { type DueJob, JobScheduleStore } from './job-schedule-store.port';
import { LATEST_START_HOURS, MISSED_SCHEDULE } from './job-stop';
import { LaneTelemetry } from './lane-telemetry';

const JOBS_AT_ONCE = 500;

/** Starts due scheduled jobs, and fails those that were due while no process ran. */
@Injectable()
export class JobSchedules extends JobRounds {
  constructor(
    private readonly store: JobScheduleStore,
    telemetry: LaneTelemetry,
    private readonly signal: SenderSignal,
    clock: Clock,
  ) {
    super(telemetry, clock, { name: 'job_schedules', everyMs: 300, jitterMs: 100 });
  }

  async round(): Promise<void> {
    let due: DueJob[];
    do {
      due = await this.store.startDue(JOBS_AT_ONCE, LATEST_START_HOURS, MISSED_SCHEDULE);
      for (const job of due) {
        if (job.missed) this.telemetry.stopped(job, MISSED_SCHEDULE);
        else this.telemetry.due(job);
      }
      for (const senderId of new Set(due.map((job) => job.senderId))) this.signal.runnable(senderId);
    } while (due.length === JOBS_AT_ONCE);
  }
}
