import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the platform said of a message when it accepted it, and what it says that the message costs. */
export class MessagesAcceptancePricing1790000000029 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
ALTER TABLE messages ADD COLUMN acceptance text, ADD COLUMN pricing_billable boolean, ADD COLUMN pricing_category text,
  ADD COLUMN pricing_type text;`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only go forward: to go back, restore a backup.'));
  }
}
