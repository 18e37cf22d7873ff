import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * When the platform last accepted a message of a sender and reported a status, and since when it has accepted messages
 * without reporting any. A table of its own: it is written once a minute, and nothing that is sent waits for it.
 */
export class AccountsSenderTraffic1790000000009 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE TABLE sender_traffic (
  sender_id uuid PRIMARY KEY REFERENCES senders (id) ON DELETE CASCADE,
  last_accepted_at timestamptz,
  last_webhook_at timestamptz,
  unreported_since timestamptz
);`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only go forward: to go back, restore a backup.'));
  }
}
