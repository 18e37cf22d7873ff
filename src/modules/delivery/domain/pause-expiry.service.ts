import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { Loop } from '../../../kernel/loop';
import { SenderSignal } from '../../sending/domain/sender-signal';
import { JobStatusStore } from './job-status-store.port';
import { EXPIRED_PAUSE, PAUSE_DAYS } from './job-stop';
import { LaneTelemetry } from './lane-telemetry';

const LOOK_EVERY_MS = 60_000;
const JITTER_MS = 10_000;
const JOBS_AT_ONCE = 200;

/** Cancels jobs that nobody has resumed for 30 days. */
@Injectable()
export class PauseExpiry {
  private readonly loop: Loop;

  constructor(
    private readonly store: JobStatusStore,
    private readonly telemetry: LaneTelemetry,
    private readonly signal: SenderSignal,
    clock: Clock,
  ) {
    this.loop = new Loop({
      clock,
      everyMs: LOOK_EVERY_MS,
      jitterMs: JITTER_MS,
      round: () => this.expire(),
      failed: (error) => telemetry.failed(null, error),
    });
  }

  /** Begins to look for such jobs: every minute. */
  start(): void {
    this.loop.start();
  }

  /** Resolves after the round under way. */
  stop(): Promise<void> {
    return this.loop.stop();
  }

  /** Cancels the jobs that have been paused for too long, the oldest first; the rest of very many at the next round. */
  async expire(): Promise<void> {
    for (const job of await this.store.expirePauses(PAUSE_DAYS, EXPIRED_PAUSE, JOBS_AT_ONCE)) {
      this.telemetry.stopped(job, EXPIRED_PAUSE);
      this.signal.runnable(job.senderId);
    }
  }
}
