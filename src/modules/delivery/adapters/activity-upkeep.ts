import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { Loop } from '../../../kernel/loop';
import type { Expiry, RetentionPart, RetentionStep } from '../../messages/domain/retention';
import { Retention } from '../../messages/domain/retention-rounds';
import { ActivityService } from '../domain/activity.service';

const COUNT_EVERY_MS = 1000;

/** Counts activity once a second, and deletes it with the history of the account. */
@Injectable()
export class ActivityUpkeep implements RetentionPart, OnApplicationBootstrap, OnModuleDestroy {
  readonly kind = 'activity';
  private readonly loop: Loop;

  constructor(
    private readonly activity: ActivityService,
    private readonly retention: Retention,
    clock: Clock,
  ) {
    const logger = new Logger(ActivityUpkeep.name);
    this.loop = new Loop({
      name: 'activity',
      clock,
      everyMs: COUNT_EVERY_MS,
      round: (stopped) => this.activity.count(stopped),
      failed: ({ message }) => logger.warn(`Counting activity failed, retrying: ${message}`),
    });
  }

  onApplicationBootstrap(): void {
    this.retention.add(this);
    this.loop.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.loop.stop();
  }

  async step({ accountId, before }: Expiry, _: string | null, limit: number): Promise<RetentionStep> {
    const deleted = await this.activity.expire(accountId, before, limit);
    return { deleted, next: deleted >= limit ? 'more' : null };
  }
}
