import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * When a job last changed in a way that clients see and that counters of running jobs do not show: streams of an account read such jobs by an
 * index. Of older jobs it is unknown. Changes of the counters of a running job set nothing: all running jobs are read anyway.
 */
export class BulkJobsChangedAt1790000000070 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
ALTER TABLE bulk_jobs ADD COLUMN changed_at timestamptz;
ALTER TABLE bulk_jobs ALTER COLUMN changed_at SET DEFAULT clock_timestamp();
CREATE INDEX bulk_jobs_changed ON bulk_jobs (account_id, changed_at) WHERE changed_at IS NOT NULL;

CREATE FUNCTION bulk_jobs_set_changed_at() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.changed_at := clock_timestamp();
  RETURN NEW;
END $$;
CREATE TRIGGER bulk_jobs_set_changed_at
  BEFORE UPDATE OF status, at_rest, started_at, completed_at, successfully_sent, failed, total_recipients ON bulk_jobs
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status OR OLD.completed_at IS DISTINCT FROM NEW.completed_at
    OR (NEW.at_rest AND NOT OLD.at_rest)
    OR ((OLD.at_rest OR OLD.completed_at IS NOT NULL)
      AND (OLD.successfully_sent, OLD.failed, OLD.total_recipients, OLD.started_at)
        IS DISTINCT FROM (NEW.successfully_sent, NEW.failed, NEW.total_recipients, NEW.started_at)))
  EXECUTE FUNCTION bulk_jobs_set_changed_at();`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only go forward: to go back, restore a backup.'));
  }
}
