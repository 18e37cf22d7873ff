import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { IdempotencyKeys } from './idempotency-keys';

const HOUR_MS = 3_600_000;

/** Deletes idempotency keys that are too old, every hour. */
@Injectable()
export class IdempotencyCleaning implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(IdempotencyCleaning.name);
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly keys: IdempotencyKeys) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.clean(), HOUR_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  private async clean(): Promise<void> {
    try {
      await this.keys.clean();
    } catch (error) {
      this.logger.warn(`Old idempotency keys stay for another hour: ${(error as Error).message}`);
    }
  }
}
