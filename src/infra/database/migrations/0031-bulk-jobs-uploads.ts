import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which file with which fields a job was made from, so that the same upload is noticed. */
export class BulkJobsUploads1790000000031 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
ALTER TABLE bulk_jobs ADD COLUMN upload_hash bytea;
CREATE INDEX bulk_jobs_by_upload ON bulk_jobs (account_id, upload_hash, created_at) WHERE upload_hash IS NOT NULL`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only go forward: to go back, restore a backup.'));
  }
}
