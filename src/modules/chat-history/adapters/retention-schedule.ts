import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { RetentionJournal } from '../domain/retention-journal';
import { Retention } from '../domain/retention.service';

/** A start has better things to do first. */
const FIRST_LOOK_MS = 60_000;
const LOOK_EVERY_MS = 60_000;
const JITTER_MS = 10_000;

/** Looks every minute whether a round of retention is due, and does it where no other process is at it. */
@Injectable()
export class RetentionSchedule implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly stopped = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly retention: Retention,
    private readonly journal: RetentionJournal,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.running = this.run();
  }

  /** Waits for the step under way, which is short. */
  async onModuleDestroy(): Promise<void> {
    this.stopped.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopped;
    await this.clock.sleep(FIRST_LOOK_MS + this.clock.jitter(JITTER_MS), signal);
    while (!signal.aborted) {
      try {
        await this.retention.round(signal);
      } catch (error) {
        this.journal.failed(null, null, error);
      }
      await this.clock.sleep(LOOK_EVERY_MS + this.clock.jitter(JITTER_MS), signal);
    }
  }
}
