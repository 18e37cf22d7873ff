import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { Loop } from '../../../kernel/loop';
import { PersonErasure } from '../domain/person-erasure.service';

const SWEEP_EVERY_MS = 5_000;

/** Continues unfinished erasures: at the start and every 5 s. */
@Injectable()
export class ErasureSweep implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(ErasureSweep.name);
  private readonly loop: Loop;

  constructor(erasure: PersonErasure, clock: Clock) {
    const failed = ({ message }: Error): void =>
      this.logger.warn(`The erasure of a person is not complete and will be retried: ${message}`);
    this.loop = new Loop({
      clock,
      everyMs: SWEEP_EVERY_MS,
      round: () => erasure.sweep(SWEEP_EVERY_MS, (error) => failed(error as Error)),
      failed,
    });
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.loop.stop();
  }
}
