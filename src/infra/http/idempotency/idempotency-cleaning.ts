import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { Loop } from '../../../kernel/loop';
import { IdempotencyKeys } from './idempotency-keys';

const HOUR_MS = 3_600_000;

/** Deletes expired idempotency keys, at startup and every hour. */
@Injectable()
export class IdempotencyCleaning implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(IdempotencyCleaning.name);
  private readonly loop: Loop;

  constructor(keys: IdempotencyKeys, clock: Clock) {
    this.loop = new Loop({
      name: 'idempotency_keys',
      clock,
      everyMs: HOUR_MS,
      round: () => keys.clean(),
      failed: ({ message }) => this.logger.warn(`Expired idempotency keys could not be deleted, retrying: ${message}`),
    });
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.loop.stop();
  }
}
