import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { Loop } from '../../../kernel/loop';
import { chainOf } from '../../../infra/error-chain';
import { Database } from '../../../infra/database/database';
import { HistoryPartitions } from '../domain/history-partitions.port';
import { endOfPartition, type MessagePartition, messagePartition } from './message-partition';

const MONTHS_AHEAD = 3;
const DAY_MS = 86_400_000;
const ROWS_PER_STATEMENT = 5_000;
/**
 * All later statements queue behind a partition removal that waits for its lock, so it starts with a short timeout,
 * enough for nearly every transaction, and never waits longer than a second.
 */
const LOCK_WAITS = ['50ms', '250ms', '1s'];
const PAUSE_MS = 100;
/** Lock timeout, or deadlock. */
const IN_USE = ['55P03', '40P01'];
const GONE = '42P01';

/** Tables with the name of a partition, and whether they are attached. */
const MONTHS = `
SELECT c.relname AS name, i.inhrelid IS NOT NULL AS attached
FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid AND i.inhparent = 'messages'::regclass
WHERE c.relkind = 'r' AND c.relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'messages'::regclass)
  AND c.relname ~ '^messages_[0-9]{4}_[0-9]{2}$'
ORDER BY c.relname`;

/** Partitions the message history by month: creates upcoming partitions on startup and once a day. */
@Injectable()
export class MessagePartitions extends HistoryPartitions implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(MessagePartitions.name);
  private readonly loop: Loop;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    super();
    this.loop = new Loop({
      name: 'message_partitions',
      clock,
      everyMs: DAY_MS,
      round: () => this.createAhead(),
      // The default partition takes the messages until a retry succeeds.
      failed: ({ stack }) => this.logger.error('Creating partitions of the message history failed', stack),
    });
  }

  onModuleInit(): Promise<void> {
    this.loop.start();
    return this.loop.firstRound;
  }

  onModuleDestroy(): Promise<void> {
    return this.loop.stop();
  }

  /**
   * Creates the missing partitions of this month and the next three, moves their messages out of the default partition
   * and returns the names. Safe in several processes at once.
   */
  async createAhead(): Promise<string[]> {
    const created: string[] = [];
    for (let month = 0; month <= MONTHS_AHEAD; month++) {
      const partition = messagePartition(this.clock.now(), month);
      if (await this.exists(partition)) continue;
      if (await this.database.transaction(() => this.create(partition))) created.push(partition.name);
    }
    if (created.length > 0) this.logger.log(`Created partitions of the message history: ${created.join(', ')}`);
    return created;
  }

  /** A partition in constant use is left for the next call. Safe in several processes at once. */
  override async dropEmpty(before: Date): Promise<string[]> {
    const dropped: string[] = [];
    for (const { name, attached } of await this.database.rows<{ name: string; attached: boolean }>(MONTHS)) {
      const end = endOfPartition(name);
      if (end === null || end > before || end > this.clock.now()) continue;
      try {
        if (await this.remove(name, attached)) dropped.push(name);
      } catch (error) {
        // Another process has removed it.
        if (!hasCode(error, [GONE])) throw error;
      }
    }
    return dropped;
  }

  private async exists({ name }: MessagePartition): Promise<boolean> {
    const rows = await this.database.rows<{ found: boolean }>(`SELECT to_regclass($1) IS NOT NULL AS found`, [name]);
    return rows[0]?.found ?? false;
  }

  /**
   * Creates a table and attaches it: creating a partition directly would block all readers and writers of the history.
   * The lock on the default partition admits one process at a time and blocks inserts while rows are moved.
   */
  private async create(partition: MessagePartition): Promise<boolean> {
    const { name, from, to } = partition;
    await this.database.execute(`LOCK TABLE messages_default IN SHARE ROW EXCLUSIVE MODE`);
    if (await this.exists(partition)) return false;
    await this.change('create', name);
    let moved: number;
    do {
      moved = (await this.database.execute(moveRows(name), [from, to, ROWS_PER_STATEMENT])).affected;
    } while (moved === ROWS_PER_STATEMENT);
    await this.change('attach', name, from, to);
    return true;
  }

  private async change(change: 'create' | 'attach' | 'detach' | 'drop', name: string, from?: string, to?: string) {
    await this.database.execute(`SELECT change_message_partition($1, $2, $3, $4)`, [change, name, from, to]);
  }

  private async remove(name: string, attached: boolean): Promise<boolean> {
    if (await this.holdsRows(name)) return false;
    for (const wait of LOCK_WAITS) {
      try {
        // A detached table is left over if a process stops between the two steps.
        return (!attached || (await this.detach(name, wait))) && (await this.drop(name, wait));
      } catch (error) {
        if (!hasCode(error, IN_USE)) throw error;
        await this.clock.sleep(PAUSE_MS);
      }
    }
    this.logger.log(`The empty partition ${name} is in use and will be removed later`);
    return false;
  }

  /**
   * Detaches a partition if it is empty; returns whether it did. Writes are blocked during the check; the whole history
   * is locked only for the catalogue change; the files are deleted later. DETACH … CONCURRENTLY does not support tables
   * with a default partition.
   */
  private detach(name: string, wait: string): Promise<boolean> {
    return this.database.transaction(async () => {
      await this.database.execute(`SET LOCAL lock_timeout = '${wait}'`);
      await this.database.execute(`LOCK TABLE ${name} IN SHARE MODE`);
      if (await this.holdsRows(name)) return false;
      await this.database.execute(`LOCK TABLE messages IN ACCESS EXCLUSIVE MODE`);
      await this.change('detach', name);
      return true;
    });
  }

  /** Drops a detached table, unless it contains rows; returns whether it did. */
  private drop(name: string, wait: string): Promise<boolean> {
    return this.database.transaction(async () => {
      await this.database.execute(`SET LOCAL lock_timeout = '${wait}'`);
      await this.database.execute(`LOCK TABLE ${name} IN SHARE MODE`);
      if (await this.holdsRows(name)) return false;
      await this.change('drop', name);
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
