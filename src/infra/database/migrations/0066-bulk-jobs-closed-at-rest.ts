import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Jobs outside their send window are at rest until it opens: no lane reads them, and no look for windows that have closed. One that wakes
 * while its lane waits gets the event of that wait, like one that begins.
 */
export class BulkJobsClosedAtRest1790000000066 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE INDEX bulk_jobs_windows_awake ON bulk_jobs (id)
  WHERE send_zone IS NOT NULL AND status IN ('Queued', 'Processing') AND completed_at IS NULL AND NOT at_rest;
CREATE INDEX bulk_jobs_windows_at_rest ON bulk_jobs (LEAST(window_opens_at, valid_until))
  WHERE at_rest AND status IN ('Queued', 'Processing') AND completed_at IS NULL;
DROP INDEX bulk_jobs_windowed;

CREATE TRIGGER bulk_jobs_tell_lane_wait_awake AFTER UPDATE OF at_rest ON bulk_jobs
  FOR EACH ROW WHEN (OLD.at_rest AND NOT NEW.at_rest AND OLD.status IN ('Queued', 'Processing') AND NEW.status = OLD.status
    AND NEW.window_opens_at <= statement_timestamp())
  EXECUTE FUNCTION bulk_jobs_tell_lane_wait();`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only go forward: to go back, restore a backup.'));
  }
}
