import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A change of a job that is due already marks it again: a sampler that has locked the mark and read older counters is about to clear it.
 * The change waits for that and marks the job behind it.
 */
export class DeliveryActivityLateChanges1790000000069 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE OR REPLACE FUNCTION job_pace_due() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  never_tried integer := CASE WHEN OLD.completed_at IS NULL AND NEW.completed_at IS NOT NULL AND NEW.status IN ('Cancelled', 'Failed')
    THEN NEW.failed - OLD.failed ELSE 0 END;
BEGIN
  UPDATE job_pace SET due = true, failed = failed + never_tried WHERE job_id = NEW.id;
  RETURN NULL;
END $$;`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only go forward: to go back, restore a backup.'));
  }
}
