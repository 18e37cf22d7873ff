import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Where this database had the platform report to: a copy of the database must not take that away from the original. */
export class PlatformWebhookSubscriptions1790000000007 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE TABLE webhook_subscriptions (
  business_account_id text PRIMARY KEY,
  callback_url text NOT NULL,
  recorded_at timestamptz NOT NULL
);`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only go forward: to go back, restore a backup.'));
  }
}
