import { Injectable, Logger } from '@nestjs/common';
import { RegularWork } from '../../../infra/lifecycle/regular-work';
import { PersonErasure } from '../domain/person-erasure.service';

const SWEEP_EVERY_MS = 5000;

/** Goes on with erasures that a request did not bring to their end: at the start and every 5 s. */
@Injectable()
export class ErasureSweep extends RegularWork {
  private readonly logger = new Logger(ErasureSweep.name);

  constructor(private readonly erasure: PersonErasure) {
    super(SWEEP_EVERY_MS);
  }

  protected async round(): Promise<void> {
    await this.erasure.sweep(SWEEP_EVERY_MS, (error) => this.failed(error as Error));
  }

  protected failed({ message }: Error): void {
    this.logger.warn(`A person is not erased everywhere yet, and it will be tried again: ${message}`);
  }
}
