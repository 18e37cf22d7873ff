import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { Loop } from '../../../kernel/loop';
import { PersonErasure } from '../domain/person-erasure';

const SWEEP_EVERY_MS = 5_000;

/** Continues unfinished erasures: at the start and every 5 s. */
@Injectable()
export class ErasureSweep implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(ErasureSweep.name);
  private readonly loop: Loop;

  constructor(
    private readonly erasure: PersonErasure,
    clock: Clock,
  ) {
    this.loop = new Loop({
      name: 'erasures',
      clock,
      everyMs: SWEEP_EVERY_MS,
      round: () => this.sweep(),
      failed: ({ message }) =>
        this.logger.warn(`The erasure of a person is not complete and will be retried: ${message}`),
    });
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.loop.stop();
  }

  /** Tries everything that is due, then rejects with the first failure. */
  private async sweep(): Promise<void> {
    const failures: unknown[] = [];
    await this.erasure.sweep(SWEEP_EVERY_MS, (error) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  }
}
