import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { Loop } from '../../kernel/loop';
import { SystemClock } from '../system-clock';
import { Database } from './database';

const READ_EVERY_MS = 10_000;
/** Readings per update; the one with the shortest round trip counts, since it was delayed least. */
const READINGS = 3;
/** The error of a reading is at most half its round trip; slower ones are discarded. */
const LONGEST_ROUND_TRIP_MS = 2000;

const NOW = 'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms';

/**
 * The database's time, so that processes whose own clocks disagree store and compare times of one clock. Between readings it
 * advances with the monotonic clock: setting the machine's time has no effect. Shows the machine's time until the first reading.
 */
@Injectable()
export class DatabaseClock extends Clock implements OnModuleInit, OnModuleDestroy {
  /** The database's time, in milliseconds since 1970, at monotonic time 0. */
  private origin: number;
  private readonly reading: Loop;

  constructor(
    private readonly database: Pick<Database, 'rows'>,
    private readonly machine: Clock = new SystemClock(),
  ) {
    super();
    this.origin = machine.now().getTime() - machine.monotonic();
    this.reading = new Loop({
      name: 'database_clock',
      clock: this,
      everyMs: READ_EVERY_MS,
      round: () => this.read(),
      // The last reading stays in use; callers of the database report its outages.
      failed: () => undefined,
    });
  }

  /** Creates a clock and reads it once, if the database responds. The running application reads it every 10 s. */
  static async started(database: Pick<Database, 'rows'>, machine?: Clock): Promise<DatabaseClock> {
    const clock = new DatabaseClock(database, machine);
    await clock.read().catch(() => undefined);
    return clock;
  }

  onModuleInit(): void {
    this.reading.start();
  }

  now(): Date {
    return new Date(this.origin + this.monotonic());
  }

  monotonic(): number {
    return this.machine.monotonic();
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return this.machine.sleep(ms, signal);
  }

  override turn(): Promise<void> {
    return this.machine.turn();
  }

  override jitter(ms: number): number {
    return this.machine.jitter(ms);
  }

  async onModuleDestroy(): Promise<void> {
    await this.reading.stop();
  }

  private async read(): Promise<void> {
    let shortest = LONGEST_ROUND_TRIP_MS;
    for (let reading = 0; reading < READINGS; reading++) {
      const started = this.monotonic();
      const [row] = await this.database.rows<{ ms: number }>(NOW);
      const ended = this.monotonic();
      if (ended - started >= shortest) continue;
      shortest = ended - started;
      this.origin = row!.ms - (started + ended) / 2;
    }
  }
}
