import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A running job that is outside its send window is marked until the window opens, and its wait is an event like that for a limit. */
export class BulkJobsWindowWaits1790000000034 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
ALTER TABLE bulk_jobs ADD COLUMN window_opens_at timestamptz;

CREATE FUNCTION bulk_jobs_tell_window() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM bulk_jobs_tell(NEW, 'job.throttled', job_event_reason('send_window', NULL, NEW.window_opens_at));
  RETURN NULL;
END $$;
CREATE TRIGGER bulk_jobs_tell_window AFTER UPDATE OF window_opens_at ON bulk_jobs
  FOR EACH ROW WHEN (NEW.window_opens_at IS NOT NULL AND OLD.window_opens_at IS DISTINCT FROM NEW.window_opens_at)
  EXECUTE FUNCTION bulk_jobs_tell_window();`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only go forward: to go back, restore a backup.'));
  }
}
