import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { Loop } from '../../../kernel/loop';
import { JobIntakes } from '../domain/job-intakes';

const SWEEP_EVERY_MS = 10_000;

/** Removes incompletely stored jobs of dead processes, at startup and every 10 s. */
@Injectable()
export class IntakeSweep implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(IntakeSweep.name);
  private readonly loop: Loop;

  constructor(
    private readonly intakes: JobIntakes,
    clock: Clock,
  ) {
    this.loop = new Loop({
      name: 'interrupted_intakes',
      clock,
      everyMs: SWEEP_EVERY_MS,
      round: () => this.sweep(),
      failed: ({ message }) => this.logger.warn(`Incomplete jobs could not be removed, retrying: ${message}`),
    });
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.loop.stop();
  }

  private async sweep(): Promise<void> {
    const removed = await this.intakes.sweep();
    if (removed > 0) this.logger.log(`Removed ${removed} incompletely stored jobs`);
  }
}
