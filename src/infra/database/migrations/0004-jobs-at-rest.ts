import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Paused jobs that need no lane are at rest, outside the index of the jobs for lanes: forgotten ones cost nothing. A change of
 * status ends the rest, whoever makes it, and takes away an epoch that a process of the version before may have written. When a
 * job was paused is known of every pause, so that it can end by itself; of old ones by clients it is when they last changed.
 */
export class JobsAtRest1790000000004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
ALTER TABLE bulk_jobs ADD COLUMN at_rest boolean NOT NULL DEFAULT false;

CREATE FUNCTION bulk_jobs_change_status() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.at_rest THEN
    NEW.at_rest := false;
    NEW.lane_epoch := 0;
  END IF;
  IF NEW.status = 'Paused' THEN
    NEW.paused_at := COALESCE(NEW.paused_at, clock_timestamp());
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER bulk_jobs_change_status BEFORE UPDATE OF status ON bulk_jobs
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION bulk_jobs_change_status();
CREATE TRIGGER bulk_jobs_begin_paused BEFORE INSERT ON bulk_jobs
  FOR EACH ROW WHEN (NEW.status = 'Paused') EXECUTE FUNCTION bulk_jobs_change_status();

UPDATE bulk_jobs SET paused_at = updated_at WHERE status = 'Paused' AND paused_at IS NULL;
UPDATE bulk_jobs j SET at_rest = true, lane_epoch = 0
WHERE j.status = 'Paused' AND j.completed_at IS NULL AND j.settled_below = j.cursor AND j.cursor <= j.total_recipients
  AND j.unknown_in_grace = 0
  AND NOT EXISTS (SELECT 1 FROM job_recipients r WHERE r.job_id = j.id AND r.sending_epoch IS NOT NULL);

CREATE INDEX bulk_jobs_for_lanes ON bulk_jobs (sender_id, id) WHERE completed_at IS NULL AND NOT at_rest;
CREATE INDEX bulk_jobs_paused ON bulk_jobs (paused_at) WHERE status = 'Paused';
CREATE INDEX bulk_jobs_paused_by_problem ON bulk_jobs (pause_problem, id)
  WHERE status = 'Paused' AND completed_at IS NULL AND pause_problem IS NOT NULL;
CREATE INDEX bulk_jobs_running ON bulk_jobs (id) WHERE status IN ('Queued', 'Processing') AND completed_at IS NULL;`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only go forward: to go back, restore a backup.'));
  }
}
