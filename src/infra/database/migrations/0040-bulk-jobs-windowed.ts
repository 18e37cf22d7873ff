import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Every process looks once a second for jobs whose send window has closed: those that run without a window are not among them. */
export class BulkJobsWindowed1790000000040 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE INDEX bulk_jobs_windowed ON bulk_jobs (id)
  WHERE send_zone IS NOT NULL AND status IN ('Queued', 'Processing') AND completed_at IS NULL;`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only go forward: to go back, restore a backup.'));
  }
}
