import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Failures of a job are counted without reading its other messages. The condition is on `failed_at`, which only failures change:
 * one on `status` would make every report of a delivery write all indexes anew.
 */
export class MessagesFailedOfJobs1790000000027 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX messages_failed_of_jobs ON messages (job_id, id) WHERE failed_at IS NOT NULL AND job_id IS NOT NULL;`,
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only go forward: to go back, restore a backup.'));
  }
}
