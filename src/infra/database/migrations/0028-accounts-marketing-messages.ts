import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether the marketing templates of a sender go through the platform's Marketing Messages API. */
export class AccountsMarketingMessages1790000000028 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE senders ADD COLUMN marketing_messages_api boolean NOT NULL DEFAULT false`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only go forward: to go back, restore a backup.'));
  }
}
