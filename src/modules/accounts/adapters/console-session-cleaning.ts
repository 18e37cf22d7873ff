import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { Loop } from '../../../kernel/loop';
import { ConsoleSessions } from '../domain/console-sessions';

const HOUR_MS = 3_600_000;
const JITTER_MS = 60_000;

/** Removes expired console sessions: at the start and every hour. */
@Injectable()
export class ConsoleSessionCleaning implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(ConsoleSessionCleaning.name);
  private readonly loop: Loop;

  constructor(sessions: ConsoleSessions, clock: Clock) {
    this.loop = new Loop({
      name: 'console_sessions',
      clock,
      everyMs: HOUR_MS,
      jitterMs: JITTER_MS,
      round: () => sessions.clean(),
      failed: ({ message }) => this.logger.warn(`Expired console sessions could not be removed, retrying: ${message}`),
    });
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.loop.stop();
  }
}
