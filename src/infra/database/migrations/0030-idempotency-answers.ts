import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Kept answers as they were given: `jsonb` sorts fields, so a repeated answer had other bytes than the first one. Answers in the old
 * column are still read, and are gone after 24 hours; a later version can drop it. A process of the version before takes a
 * request whose answer is in the new column for one that is still running.
 */
export class IdempotencyAnswers1790000000030 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE idempotency_keys ADD COLUMN answer json`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only go forward: to go back, restore a backup.'));
  }
}
