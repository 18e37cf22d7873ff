import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { JobIntakes } from '../domain/job-intake';

const SWEEP_EVERY_MS = 10_000;

/** Clears away jobs whose storing was cut off by the end of its process: at the start and every 10 s. */
@Injectable()
export class IntakeSweep implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(IntakeSweep.name);
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly intakes: JobIntakes) {}

  onApplicationBootstrap(): void {
    this.start();
    this.timer = setInterval(() => this.start(), SWEEP_EVERY_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  private start(): void {
    this.running = this.running.then(() => this.sweep());
  }

  private async sweep(): Promise<void> {
    try {
      const removed = await this.intakes.sweep();
      if (removed > 0) this.logger.log(`Removed ${removed} jobs whose recipients were never stored completely`);
    } catch (error) {
      this.logger.warn(`Jobs that were not stored completely stay for a while: ${(error as Error).message}`);
    }
  }
}
