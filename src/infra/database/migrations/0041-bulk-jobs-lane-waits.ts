import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A job that begins or is resumed while its lane waits hears of that wait like those that ran when the wait began. */
export class BulkJobsLaneWaits1790000000041 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
-- A lane that begins to wait and a job that begins to run each see what the other has committed: the one that comes second tells. Whoever
-- takes it for a lane has locked that lane, and whoever takes it for jobs has locked jobs that did not run: no lane waits for those.
CREATE FUNCTION lane_wait_key(sender uuid) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
SELECT hashtextextended('lane wait ' || $1, 0)
$$;

CREATE FUNCTION bulk_jobs_tell_lane_wait() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE lane sender_lanes;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(lane_wait_key(NEW.sender_id));
  SELECT * INTO lane FROM sender_lanes WHERE sender_id = NEW.sender_id;
  IF lane.throttled_reason IS NOT NULL AND lane.lease_until > statement_timestamp() THEN
    PERFORM bulk_jobs_tell(NEW, 'job.throttled', job_event_reason(lane.throttled_reason, NULL, lane.throttled_until));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER bulk_jobs_tell_lane_wait AFTER UPDATE OF status ON bulk_jobs
  FOR EACH ROW WHEN (NEW.status IN ('Queued', 'Processing') AND OLD.status NOT IN ('Queued', 'Processing'))
  EXECUTE FUNCTION bulk_jobs_tell_lane_wait();

CREATE OR REPLACE FUNCTION sender_lanes_tell_wait() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE job bulk_jobs;
BEGIN
  PERFORM pg_advisory_xact_lock(lane_wait_key(NEW.sender_id));
  FOR job IN SELECT * FROM bulk_jobs WHERE sender_id = NEW.sender_id AND completed_at IS NULL AND NOT at_rest
    AND status IN ('Queued', 'Processing') ORDER BY id FOR SHARE
  LOOP
    PERFORM bulk_jobs_tell(job, 'job.throttled', job_event_reason(NEW.throttled_reason, NULL, NEW.throttled_until));
  END LOOP;
  RETURN NULL;
END $$;`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only go forward: to go back, restore a backup.'));
  }
}
