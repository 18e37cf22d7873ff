import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { chainOf } from '../error-chain';
import { Database } from './database';
import { endOfPartition, type MessagePartition, messagePartition, PARTITION_STORAGE } from './message-partition';

const MONTHS_AHEAD = 3;
const DAY_MS = 86_400_000;
const ROWS_PER_STATEMENT = 5_000;
/**
 * While the removal of a partition waits for its lock, everybody who comes later waits for it: short at first, as nearly
 * every transaction is, and never longer than a second.
 */
const LOCK_WAITS = ['50ms', '250ms', '1s'];
const PAUSE_MS = 100;
/** No lock within the time, or a deadlock. */
const IN_USE = ['55P03', '40P01'];
const GONE = '42P01';

/** Tables named like a month, and whether they are part of the history. */
const MONTHS = `
SELECT c.relname AS name, i.inhrelid IS NOT NULL AS attached
FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid AND i.inhparent = 'messages'::regclass
WHERE c.relkind = 'r' AND c.relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'messages'::regclass)
  AND c.relname ~ '^messages_[0-9]{4}_[0-9]{2}$'
ORDER BY c.relname`;

/** Keeps the message history divided by months: makes the partitions of the coming months at start and once a day. */
@Injectable()
export class MessagePartitions implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(MessagePartitions.name);
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.makeOrReport();
    this.timer = setInterval(() => void this.makeOrReport(), DAY_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /**
   * Makes what is missing of this month's partition and those of the next three, and gives their names. Messages that
   * lie in the default partition meanwhile move over. Any number of processes may do this at the same moment.
   */
  async makeAhead(): Promise<string[]> {
    const made: string[] = [];
    for (let month = 0; month <= MONTHS_AHEAD; month++) {
      const partition = messagePartition(this.clock.now(), month);
      if (await this.exists(partition)) continue;
      if (await this.database.transaction(() => this.make(partition))) made.push(partition.name);
    }
    return made;
  }

  /**
   * Removes the partitions of months that ended before `before` and hold no row, and gives their names. One that somebody
   * uses all the time is left for the next call. Any number of processes may do this at the same moment.
   */
  async dropEmpty(before: Date): Promise<string[]> {
    const dropped: string[] = [];
    for (const { name, attached } of await this.database.rows<{ name: string; attached: boolean }>(MONTHS)) {
      const end = endOfPartition(name);
      if (end === null || end > before || end > this.clock.now()) continue;
      try {
        if (await this.remove(name, attached)) dropped.push(name);
      } catch (error) {
        // Another process was faster.
        if (!hasCode(error, [GONE])) throw error;
      }
    }
    return dropped;
  }

  /** A failure costs nothing at once: the default partition takes the messages until a later attempt succeeds. */
  private async makeOrReport(): Promise<void> {
    try {
      const made = await this.makeAhead();
      if (made.length > 0) this.logger.log(`Made partitions of the message history: ${made.join(', ')}`);
    } catch (error) {
      this.logger.error(
        'Making partitions of the message history failed',
        error instanceof Error ? error.stack : error,
      );
    }
  }

  private async exists({ name }: MessagePartition): Promise<boolean> {
    const rows = await this.database.rows<{ found: boolean }>(`SELECT to_regclass($1) IS NOT NULL AS found`, [name]);
    return rows[0]?.found ?? false;
  }

  /**
   * Attached, not created as a partition, because that would lock out every reader and writer of the history. The
   * lock on the default partition lets one process work at a time and keeps new rows out while the old ones move.
   */
  private async make(partition: MessagePartition): Promise<boolean> {
    const { name, from, to } = partition;
    await this.database.execute(`LOCK TABLE messages_default IN SHARE ROW EXCLUSIVE MODE`);
    if (await this.exists(partition)) return false;
    await this.database.execute(`CREATE TABLE ${name} (LIKE messages INCLUDING ALL) WITH (${PARTITION_STORAGE})`);
    let moved: number;
    do {
      moved = (await this.database.execute(moveRows(name), [from, to, ROWS_PER_STATEMENT])).affected;
    } while (moved === ROWS_PER_STATEMENT);
    await this.database.execute(
      `ALTER TABLE messages ATTACH PARTITION ${name} FOR VALUES FROM ('${from}') TO ('${to}')`,
    );
    return true;
  }

  private async remove(name: string, attached: boolean): Promise<boolean> {
    if (await this.holdsRows(name)) return false;
    for (const wait of LOCK_WAITS) {
      try {
        // What is not attached was left behind by a process that ended between the two.
        return (!attached || (await this.detach(name, wait))) && (await this.drop(name, wait));
      } catch (error) {
        if (!hasCode(error, IN_USE)) throw error;
        await this.clock.sleep(PAUSE_MS);
      }
    }
    this.logger.log(`The empty partition ${name} is in use: it is removed later`);
    return false;
  }

  /**
   * Takes a partition out of the history, unless somebody has written into it: whether it did. All of the history is locked
   * meanwhile, but only for a change of the catalogue; the files are deleted later. DETACH … CONCURRENTLY is not for
   * tables with a default partition.
   */
  private detach(name: string, wait: string): Promise<boolean> {
    return this.database.transaction(async () => {
      await this.database.execute(`SET LOCAL lock_timeout = '${wait}'`);
      await this.database.execute(`LOCK TABLE messages IN ACCESS EXCLUSIVE MODE`);
      if (await this.holdsRows(name)) return false;
      await this.database.execute(`ALTER TABLE messages DETACH PARTITION ${name}`);
      return true;
    });
  }

  /** Deletes a table that is not part of the history any more, unless an operator has filled it: whether it did. */
  private drop(name: string, wait: string): Promise<boolean> {
    return this.database.transaction(async () => {
      await this.database.execute(`SET LOCAL lock_timeout = '${wait}'`);
      await this.database.execute(`LOCK TABLE ${name} IN ACCESS EXCLUSIVE MODE`);
      if (await this.holdsRows(name)) return false;
      await this.database.execute(`DROP TABLE ${name}`);
      return true;
    });
  }

  private async holdsRows(name: string): Promise<boolean> {
    const [row] = await this.database.rows<{ found: boolean }>(`SELECT EXISTS (SELECT 1 FROM ${name}) AS found`);
    return row?.found ?? true;
  }
}

function moveRows(partition: string): string {
  return `
    WITH chosen AS (SELECT id FROM messages_default WHERE id >= $1 AND id < $2 ORDER BY id LIMIT $3),
         moved AS (DELETE FROM messages_default d USING chosen WHERE d.id = chosen.id RETURNING d.*)
    INSERT INTO ${partition} SELECT * FROM moved`;
}

function hasCode(error: unknown, codes: readonly string[]): boolean {
  for (const { code } of chainOf(error)) if (typeof code === 'string' && codes.includes(code)) return true;
  return false;
}
