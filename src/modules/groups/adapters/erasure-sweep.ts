import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { PersonErasure } from '../domain/person-erasure.service';

const SWEEP_EVERY_MS = 5000;

/** Goes on with erasures that a request did not bring to their end: at the start and every 5 s. */
@Injectable()
export class ErasureSweep implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(ErasureSweep.name);
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | null = null;

  constructor(private readonly erasure: PersonErasure) {}

  onApplicationBootstrap(): void {
    this.start();
    this.timer = setInterval(() => this.start(), SWEEP_EVERY_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  private start(): void {
    this.running ??= this.sweep().finally(() => (this.running = null));
  }

  private async sweep(): Promise<void> {
    const warn = (error: unknown) =>
      this.logger.warn(
        `A person is not erased everywhere yet, and it will be tried again: ${(error as Error).message}`,
      );
    await this.erasure.sweep(SWEEP_EVERY_MS, warn).catch(warn);
  }
}
