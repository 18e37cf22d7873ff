import type { Clock } from '../../../kernel/clock';
import { Loop } from '../../../kernel/loop';
import type { LaneTelemetry } from './lane-telemetry';

/** What is looked for, and how often in milliseconds. */
export interface Rhythm {
  /** Names its loop. */
  name: string;
  everyMs: number;
  jitterMs: number;
}

/** Regular work on jobs, which every process does; what fails is retried with the next round. */
export abstract class JobRounds {
  private readonly loop: Loop;

  constructor(
    protected readonly telemetry: LaneTelemetry,
    clock: Clock,
    rhythm: Rhythm,
  ) {
    this.loop = new Loop({
      ...{ clock, ...rhythm },
      round: () => this.round(),
      failed: (error) => telemetry.failed(null, error),
    });
  }

  start(): void {
    this.loop.start();
  }

  /** Resolves after the round under way. */
  stop(): Promise<void> {
    return this.loop.stop();
  }

  /** Does what is to be done now; the rest of very much at the next round. */
  abstract round(): Promise<void>;
}
