import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The API key that sent a single message. Null: an older version, which did not record it. */
export class SendingActingKeys1790000000078 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE single_sends ADD COLUMN created_by uuid`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only go forward: to go back, restore a backup.'));
  }
}
