import type { MigrationInterface, QueryRunner } from 'typeorm';
import { messagePartition, PARTITION_STORAGE } from '../message-partition';
import { ACCOUNTS_TEMPLATES_GROUPS } from './0001-accounts-templates-groups.sql';
import { CHAT_HISTORY } from './0001-chat-history.sql';
import { MEDIA } from './0001-media.sql';
import { SENDING_ENGINE } from './0001-sending-engine.sql';

const MONTHS_AHEAD = 3;

/** Every table of the service, and the partitions of the message history for this month and the next ones. */
export class Initial1790000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(ACCOUNTS_TEMPLATES_GROUPS);
    await runner.query(SENDING_ENGINE);
    await runner.query(CHAT_HISTORY);
    await runner.query(MEDIA);
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
