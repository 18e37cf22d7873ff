import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';

/** Work of a process that comes again and again, one round after the other; the end of the process waits for a round. */
export abstract class RegularWork implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | null = null;

  /** A round begins so many milliseconds after the one before began, or later where that takes longer. */
  protected constructor(private readonly everyMs: number) {}

  onApplicationBootstrap(): void {
    this.begin();
    this.timer = setInterval(() => this.begin(), this.everyMs).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  protected abstract round(): Promise<void>;

  /** A round failed; the next one may succeed. */
  protected abstract failed(error: Error): void;

  private begin(): void {
    this.running ??= this.round()
      .catch((error: Error) => this.failed(error))
      .finally(() => (this.running = null));
  }
}
