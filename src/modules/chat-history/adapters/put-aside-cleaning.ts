import { Injectable, Logger } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { RegularWork } from '../../../infra/lifecycle/regular-work';
import { Clock } from '../../../kernel/clock';

const HOUR_MS = 3_600_000;
const KEPT_MS = 90 * 24 * HOUR_MS;
const MOST_ROWS = 100_000;
const ROWS_TOGETHER = 1000;

/**
 * Keeps what was put aside small: reports older than 90 days go, and the oldest of more than 100,000, at the start and every
 * hour.
 */
@Injectable()
export class PutAsideCleaning extends RegularWork {
  private readonly logger = new Logger(PutAsideCleaning.name);

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    super(HOUR_MS);
  }

  /** Deletes what is too old or too much, in small transactions; how many rows of each table. */
  async clean(most = MOST_ROWS): Promise<{ platformEvents: number; parkedUpdates: number }> {
    return {
      platformEvents: await this.cleanTable('platform_events', most),
      parkedUpdates: await this.cleanTable('parked_updates', most),
    };
  }

  protected async round(): Promise<void> {
    await this.clean();
  }

  protected failed({ message }: Error): void {
    this.logger.warn(`What was put aside long ago stays for another hour: ${message}`);
  }

  private async cleanTable(table: 'platform_events' | 'parked_updates', most: number): Promise<number> {
    const since = new Date(this.clock.now().getTime() - KEPT_MS);
    // The table is small by this very rule, so to step over its newest rows costs little.
    const [surplus] = await this.database.rows<{ received_at: Date }>(
      `SELECT received_at FROM ${table} ORDER BY received_at DESC OFFSET $1 LIMIT 1`,
      [most],
    );
    const until = surplus && surplus.received_at > since ? surplus.received_at : since;
    let deleted = 0;
    for (let batch = ROWS_TOGETHER; batch === ROWS_TOGETHER; deleted += batch) {
      const result = await this.database.execute(
        `DELETE FROM ${table} WHERE id IN (
           SELECT id FROM ${table} WHERE received_at <= $1 ORDER BY received_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
        [until, ROWS_TOGETHER],
      );
      batch = result.affected;
    }
    return deleted;
  }
}
