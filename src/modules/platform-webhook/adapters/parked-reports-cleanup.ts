import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { Clock } from '../../../kernel/clock';
import { Loop } from '../../../kernel/loop';

const HOUR_MS = 3_600_000;
const KEPT_MS = 90 * 24 * HOUR_MS;
const MOST_ROWS = 100_000;
const ROWS_TOGETHER = 1000;

/**
 * Deletes parked reports that are older than 90 days, and the oldest ones beyond 100,000: at the start and every hour.
 */
@Injectable()
export class ParkedReportsCleanup implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(ParkedReportsCleanup.name);
  private readonly loop: Loop;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    this.loop = new Loop({
      name: 'parked_reports',
      clock,
      everyMs: HOUR_MS,
      round: () => this.clean(),
      failed: ({ message }) => this.logger.warn(`Old parked reports could not be deleted, retrying: ${message}`),
    });
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.loop.stop();
  }

  /** Deletes what is too old or too much, in small transactions; how many rows of each table. */
  async clean(most = MOST_ROWS): Promise<{ platformEvents: number; parkedUpdates: number }> {
    return {
      platformEvents: await this.cleanTable('platform_events', most),
      parkedUpdates: await this.cleanTable('parked_updates', most),
    };
  }

  private async cleanTable(table: 'platform_events' | 'parked_updates', most: number): Promise<number> {
    const since = new Date(this.clock.now().getTime() - KEPT_MS);
    // The table is small by this very rule, so to step over its newest rows costs little.
    const [surplus] = await this.database.rows<{ receivedAt: Date }>(
      `SELECT received_at AS "receivedAt" FROM ${table} ORDER BY received_at DESC OFFSET $1 LIMIT 1`,
      [most],
    );
    const until = surplus && surplus.receivedAt > since ? surplus.receivedAt : since;
    let deleted = 0;
    for (let batch = ROWS_TOGETHER; batch === ROWS_TOGETHER; deleted += batch) {
      const result = await this.database.execute(
        `DELETE FROM ${table} WHERE id = ANY(ARRAY(
           SELECT id FROM ${table} WHERE received_at <= $1 ORDER BY received_at LIMIT $2 FOR UPDATE SKIP LOCKED))`,
        [until, ROWS_TOGETHER],
      );
      batch = result.affected;
    }
    return deleted;
  }
}
