import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Recipients whose job was cancelled or failed before their turn are counted as failed when the job completes. Nothing went wrong with
 * them at that moment: its pace and the activity of its account leave them out.
 */
export class DeliveryActivityNeverTried1790000000042 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE OR REPLACE FUNCTION job_pace_due() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  never_tried integer := CASE WHEN OLD.completed_at IS NULL AND NEW.completed_at IS NOT NULL AND NEW.status IN ('Cancelled', 'Failed')
    THEN NEW.failed - OLD.failed ELSE 0 END;
BEGIN
  UPDATE job_pace SET due = true, failed = failed + never_tried WHERE job_id = NEW.id AND (NOT due OR never_tried <> 0);
  RETURN NULL;
END $$;`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only go forward: to go back, restore a backup.'));
  }
}
