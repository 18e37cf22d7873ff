import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { Loop } from '../../../kernel/loop';
import { RetentionTelemetry } from '../domain/retention-telemetry';
import { Retention } from '../domain/retention-rounds';

/** Leaves the first minute after startup to more urgent work. */
const FIRST_LOOK_MS = 60_000;
const LOOK_EVERY_MS = 60_000;
const JITTER_MS = 10_000;

/** Checks every minute whether a retention round is due, and runs it unless another process does. */
@Injectable()
export class RetentionSchedule implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loop: Loop;

  constructor(retention: Retention, telemetry: RetentionTelemetry, clock: Clock) {
    this.loop = new Loop({
      name: 'retention',
      clock,
      everyMs: LOOK_EVERY_MS,
      jitterMs: JITTER_MS,
      firstAfterMs: FIRST_LOOK_MS,
      round: (signal) => retention.round(signal),
      failed: (error) => telemetry.failed(null, null, error),
    });
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  /** Waits for the current step, which is short. */
  onModuleDestroy(): Promise<void> {
    return this.loop.stop();
  }
}
