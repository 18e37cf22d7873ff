import { Injectable, Logger } from '@nestjs/common';
import { RegularWork } from '../../lifecycle/regular-work';
import { IdempotencyKeys } from './idempotency-keys';

const HOUR_MS = 3_600_000;

/** Deletes idempotency keys that are too old: at the start and every hour. */
@Injectable()
export class IdempotencyCleaning extends RegularWork {
  private readonly logger = new Logger(IdempotencyCleaning.name);

  constructor(private readonly keys: IdempotencyKeys) {
    super(HOUR_MS);
  }

  protected async round(): Promise<void> {
    await this.keys.clean();
  }

  protected failed({ message }: Error): void {
    this.logger.warn(`Old idempotency keys stay for another hour: ${message}`);
  }
}
