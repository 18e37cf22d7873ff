import type { Clock } from '../../../kernel/clock';
import { Loop } from '../../../kernel/loop';
import type { LaneTelemetry } from './lane-telemetry';

/** The loop of regular work. */
export interface RoundOptions {
  /** Name of the loop. */
  name: string;
  everyMs: number;
  jitterMs: number;
}

/** Regular work on jobs, done in every process; a failed round is retried by the next one. */
export abstract class JobRounds {
  private readonly loop: Loop;

  constructor(
    protected readonly telemetry: LaneTelemetry,
    clock: Clock,
    options: RoundOptions,
  ) {
    this.loop = new Loop({
      ...{ clock, ...options },
      round: () => this.round(),
      failed: (error) => telemetry.failed(null, error),
    });
  }

  start(): void {
    this.loop.start();
  }

  /** Resolves after the current round. */
  stop(): Promise<void> {
    return this.loop.stop();
  }

  /** Does the due work, at most one batch of it. */
  abstract round(): Promise<void>;
}
