import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { Clock } from '../../../kernel/clock';
import { Loop } from '../../../kernel/loop';

const HOUR_MS = 3_600_000;
const RETENTION_MS = 90 * 24 * HOUR_MS;
const MAX_ROWS = 100_000;
const ROWS_PER_BATCH = 1000;

/** Deletes parked reports older than 90 days, and the oldest beyond 100,000: on startup and every hour. */
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

  /** Deletes expired and surplus rows in small transactions; returns the number per table. */
  async clean(maxRows = MAX_ROWS): Promise<{ platformEvents: number; parkedUpdates: number }> {
    return {
      platformEvents: await this.cleanTable('platform_events', maxRows),
      parkedUpdates: await this.cleanTable('parked_updates', maxRows),
    };
  }

  private async cleanTable(table: 'platform_events' | 'parked_updates', maxRows: number): Promise<number> {
    const since = new Date(this.clock.now().getTime() - RETENTION_MS);
    // This cleanup keeps the table small, so skipping its newest rows is cheap.
    const [surplus] = await this.database.rows<{ receivedAt: Date }>(
      `SELECT received_at AS "receivedAt" FROM ${table} ORDER BY received_at DESC OFFSET $1 LIMIT 1`,
      [maxRows],
    );
    const until = surplus && surplus.receivedAt > since ? surplus.receivedAt : since;
    let deleted = 0;
    for (let batch = ROWS_PER_BATCH; batch === ROWS_PER_BATCH; deleted += batch) {
      const result = await this.database.execute(
        `DELETE FROM ${table} WHERE id = ANY(ARRAY(
           SELECT id FROM ${table} WHERE received_at <= $1 ORDER BY received_at LIMIT $2 FOR UPDATE SKIP LOCKED))`,
        [until, ROWS_PER_BATCH],
      );
      batch = result.affected;
    }
    return deleted;
  }
}
