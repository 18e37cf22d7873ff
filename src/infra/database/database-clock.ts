import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Loop } from '../../kernel/loop';
import { SystemClock } from '../system-clock';
import { Database } from './database';

const READ_EVERY_MS = 10_000;
/** Of so many readings the one with the shortest round trip counts: the others waited for something. */
const READINGS = 3;
/** The error of a reading is at most half of its round trip: one that took longer says too little. */
const LONGEST_ROUND_TRIP_MS = 2000;

const NOW = 'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms';

/**
 * The database's time. Processes whose own clocks disagree store and compare moments of this one clock; between readings it goes
 * on by the monotonic clock, so a machine whose time is set meanwhile changes nothing. Until the database has been read once it
 * shows the machine's time.
 */
@Injectable()
export class DatabaseClock extends SystemClock implements OnModuleInit, OnModuleDestroy {
  /** The database's time, in milliseconds since 1970, at the monotonic moment 0. */
  private origin = Date.now() - this.monotonic();
  private readonly reading: Loop;

  constructor(private readonly database: Database) {
    super();
    this.reading = new Loop({
      name: 'database_clock',
      clock: this,
      everyMs: READ_EVERY_MS,
      round: () => this.read(),
      // It goes on from the last reading; whatever needs the database reports that it is away.
      failed: () => undefined,
    });
  }

  /** A clock that has been read, if the database answered. The application reads it again every 10 s, from its start to its end. */
  static async started(database: Database): Promise<DatabaseClock> {
    const clock = new DatabaseClock(database);
    await clock.read().catch(() => undefined);
    return clock;
  }

  onModuleInit(): void {
    this.reading.start();
  }

  override now(): Date {
    return new Date(this.origin + this.monotonic());
  }

  async onModuleDestroy(): Promise<void> {
    await this.reading.stop();
  }

  private async read(): Promise<void> {
    let shortest = LONGEST_ROUND_TRIP_MS;
    for (let reading = 0; reading < READINGS; reading++) {
      const begun = this.monotonic();
      const [row] = await this.database.rows<{ ms: number }>(NOW);
      const ended = this.monotonic();
      if (ended - begun >= shortest) continue;
      shortest = ended - begun;
      this.origin = row!.ms - (begun + ended) / 2;
    }
  }
}
