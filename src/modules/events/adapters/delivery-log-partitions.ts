import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { lowestUuidAt } from '../../../kernel/uuid';
import { chainOf } from '../../../infra/error-chain';
import { Clock } from '../../../kernel/clock';
import { Loop } from '../../../kernel/loop';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Partitions created ahead: without one, no delivery can be logged. */
const DAYS_AHEAD = 7;
/** SQLSTATEs if another process has created the partition. */
const EXISTS = ['42P07', '42P17', '23505'];

/** The retention of the partitioned tables in days. */
const KEPT_DAYS = { webhook_deliveries: 30, webhook_bodies: 7 };

const CHANGE = `SELECT change_delivery_log($1, $2, $3, $4, $5)`;

const PARTITIONS = `
SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = $1::regclass`;

/** Maintains daily partitions of the delivery log: creates those of the coming days and drops expired ones. */
@Injectable()
export class DeliveryLogPartitions implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(DeliveryLogPartitions.name);
  private readonly loop: Loop;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    this.loop = new Loop({
      name: 'webhook_log_partitions',
      clock,
      everyMs: HOUR_MS,
      jitterMs: HOUR_MS / 4,
      round: () => this.keep(),
      failed: ({ stack }) => this.logger.error('Maintaining the partitions of the webhook delivery log failed', stack),
    });
  }

  onModuleInit(): Promise<void> {
    this.loop.start();
    return this.loop.firstRound;
  }

  onModuleDestroy(): Promise<void> {
    return this.loop.stop();
  }

  /** Creates missing partitions and drops expired ones. Safe to run in several processes at once. */
  async keep(): Promise<void> {
    const today = Math.floor(this.clock.now().getTime() / DAY_MS);
    for (const [table, keptDays] of Object.entries(KEPT_DAYS)) {
      const found = await this.database.rows<{ name: string }>(PARTITIONS, [table]);
      const names = new Set(found.map(({ name }) => name));
      for (let day = today - 1; day <= today + DAYS_AHEAD; day++) {
        if (!names.has(nameOf(table, day))) await this.create(table, day);
      }
      const oldest = nameOf(table, today - keptDays);
      for (const name of [...names].filter((one) => one < oldest)) {
        await this.database.execute(CHANGE, ['drop', table, name, null, null]);
      }
    }
  }

  private async create(table: string, day: number): Promise<void> {
    const [from, to] = [day, day + 1].map((start) => lowestUuidAt(new Date(start * DAY_MS)));
    try {
      await this.database.execute(CHANGE, ['create', table, nameOf(table, day), from, to]);
    } catch (error) {
      const exists = [...chainOf(error)].some(({ code }) => typeof code === 'string' && EXISTS.includes(code));
      if (!exists) throw error;
    }
  }
}

/** Names of one table sort like their days. */
function nameOf(table: string, day: number): string {
  return `${table}_${new Date(day * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '')}`;
}
