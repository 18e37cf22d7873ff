import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The API keys with which a job was created, last paused and cancelled. Null: the service did it, or an older version, which did not
 * record it. A deleted key stays as its id, so there is no foreign key.
 */
export class BulkJobsActingKeys1790000000077 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE bulk_jobs ADD COLUMN created_by uuid, ADD COLUMN paused_by uuid, ADD COLUMN cancelled_by uuid`,
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only go forward: to go back, restore a backup.'));
  }
}
