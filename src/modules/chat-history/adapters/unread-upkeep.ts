import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { Loop } from '../../../kernel/loop';
import { ConversationsService } from '../domain/conversations.service';

const EVERY_MS = 5000;

/** Keeps the changes few that a count of unread conversations adds up. */
@Injectable()
export class UnreadUpkeep implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loop: Loop;

  constructor(conversations: ConversationsService, clock: Clock) {
    const logger = new Logger(UnreadUpkeep.name);
    this.loop = new Loop({
      name: 'unread_counts',
      clock,
      everyMs: EVERY_MS,
      jitterMs: EVERY_MS / 5,
      round: (stopped) => conversations.foldUnread(stopped),
      failed: ({ message }) => logger.warn(`Unread conversations could not be counted, retrying: ${message}`),
    });
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.loop.stop();
  }
}
