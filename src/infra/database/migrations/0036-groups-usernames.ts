import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The public names that people chose on the platform. */
export class GroupsUsernames1790000000036 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE contacts ADD COLUMN username text;');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only go forward: to go back, restore a backup.'));
  }
}
