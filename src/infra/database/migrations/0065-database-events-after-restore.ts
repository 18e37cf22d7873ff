import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * When a person last said that events of a restored database may leave. What was restored before this migration goes on: the one row is
 * written only where it says so.
 */
export class DatabaseEventsAfterRestore1790000000065 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
ALTER TABLE database_identity ADD COLUMN events_confirmed_at timestamptz;
UPDATE database_identity SET events_confirmed_at = restored_at WHERE restored_at IS NOT NULL;`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only go forward: to go back, restore a backup.'));
  }
}
