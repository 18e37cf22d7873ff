import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Single sends for which the messaging tier had no room say so: they ask for room together, beside those that can be sent. One
 * that waits from the version before is claimed once more, and marked then.
 */
export class SendingHeldSends1790000000006 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
ALTER TABLE single_sends ADD COLUMN needs_room boolean NOT NULL DEFAULT false;
CREATE INDEX single_sends_due ON single_sends (sender_id, retry_at) WHERE retry_at IS NOT NULL AND NOT needs_room;
CREATE INDEX single_sends_held ON single_sends (sender_id, retry_at) WHERE retry_at IS NOT NULL AND needs_room;`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only go forward: to go back, restore a backup.'));
  }
}
