import type { MigrationInterface, QueryRunner } from 'typeorm';
import { messagePartition, PARTITION_STORAGE } from '../message-partition';
import { ACCOUNTS } from './0001-accounts.sql';
import { BULK_JOBS } from './0001-bulk-jobs.sql';
import { CHAT_HISTORY } from './0001-chat-history.sql';
import { DELIVERY } from './0001-delivery.sql';
import { GROUPS } from './0001-groups.sql';
import { IDEMPOTENCY } from './0001-idempotency.sql';
import { MEDIA } from './0001-media.sql';
import { MESSAGES } from './0001-messages.sql';
import { PLATFORM_WEBHOOK } from './0001-platform-webhook.sql';
import { SENDING } from './0001-sending.sql';
import { TEMPLATES } from './0001-templates.sql';

const MONTHS_AHEAD = 3;

/** By module, each after those that its foreign keys name. */
const TABLES = [
  ACCOUNTS,
  TEMPLATES,
  GROUPS,
  IDEMPOTENCY,
  DELIVERY,
  BULK_JOBS,
  SENDING,
  MESSAGES,
  CHAT_HISTORY,
  PLATFORM_WEBHOOK,
  MEDIA,
];

/** Every table of the service, and the partitions of the message history for this month and the next ones. */
export class Initial1790000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const tables of TABLES) await runner.query(tables);
    for (let month = 0; month <= MONTHS_AHEAD; month++) {
      const { name, from, to } = messagePartition(new Date(), month);
      await runner.query(
        `CREATE TABLE ${name} PARTITION OF messages FOR VALUES FROM ('${from}') TO ('${to}') WITH (${PARTITION_STORAGE})`,
      );
    }
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only go forward: to go back, restore a backup.'));
  }
}
