import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Whether commits waited for a standby when the timeline was recorded: one that takes over then lacks nothing. Only the default is
 * written, so the one row is not rewritten.
 */
export class DatabaseSynchronousStandby1790000000064 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
ALTER TABLE database_identity ADD COLUMN synchronous boolean NOT NULL DEFAULT false;`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only go forward: to go back, restore a backup.'));
  }
}
