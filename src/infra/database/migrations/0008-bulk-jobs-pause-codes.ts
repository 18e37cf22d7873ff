import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Jobs that paused for refusals in a row had the code of the last refusal; the pause has a code of its own now. */
export class BulkJobsPauseCodes1790000000008 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
UPDATE bulk_jobs SET pause_problem = 'refusals_in_row'
WHERE status = 'Paused' AND completed_at IS NULL AND pause_problem IS NOT NULL AND pause_reason LIKE '%messages in a row, at last with:%'`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only go forward: to go back, restore a backup.'));
  }
}
