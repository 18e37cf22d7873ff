import { Injectable, Logger } from '@nestjs/common';
import { RegularWork } from '../../../infra/lifecycle/regular-work';
import { JobIntakes } from '../domain/job-intake';

const SWEEP_EVERY_MS = 10_000;

/** Clears away jobs whose storing was cut off by the end of its process: at the start and every 10 s. */
@Injectable()
export class IntakeSweep extends RegularWork {
  private readonly logger = new Logger(IntakeSweep.name);

  constructor(private readonly intakes: JobIntakes) {
    super(SWEEP_EVERY_MS);
  }

  protected async round(): Promise<void> {
    const removed = await this.intakes.sweep();
    if (removed > 0) this.logger.log(`Removed ${removed} jobs whose recipients were never stored completely`);
  }

  protected failed({ message }: Error): void {
    this.logger.warn(`Jobs that were not stored completely stay for a while: ${message}`);
  }
}
