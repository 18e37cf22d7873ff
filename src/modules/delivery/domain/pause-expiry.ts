import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { SenderSignal } from '../../sending/domain/sender-signal';
import { JobRounds } from './job-rounds';
import { JobStatusStore } from './job-status-store.port';
import { EXPIRED_PAUSE, PAUSE_DAYS } from './job-stop';
import { LaneTelemetry } from './lane-telemetry';

const JOBS_AT_ONCE = 200;

/** Cancels jobs paused for 30 days, the oldest pauses first. */
@Injectable()
export class PauseExpiry extends JobRounds {
  constructor(
    private readonly store: JobStatusStore,
    telemetry: LaneTelemetry,
    private readonly signal: SenderSignal,
    clock: Clock,
  ) {
    super(telemetry, clock, { name: 'pause_expiry', everyMs: 60_000, jitterMs: 10_000 });
  }

  async round(): Promise<void> {
    for (const job of await this.store.expirePauses(PAUSE_DAYS, EXPIRED_PAUSE, JOBS_AT_ONCE)) {
      this.telemetry.stopped(job, EXPIRED_PAUSE);
      this.signal.runnable(job.senderId);
    }
  }
}
