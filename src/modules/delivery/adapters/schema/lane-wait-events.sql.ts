/** A wait of a lane is an event of each job that it sends for. */
export const LANE_WAIT_EVENTS = `
-- Locked by a lane that begins to wait and, shared, by a job that begins to run: each sees what the other committed, and the second
-- one writes the event. A lane holds its own lock meanwhile, a job that of a row that did not run before: neither blocks the other.
CREATE FUNCTION lane_wait_key(sender uuid) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
SELECT hashtextextended('lane wait ' || $1, 0)
$$;

-- Locks in the same order as every other statement: the lane, then jobs by id.
CREATE FUNCTION sender_lanes_tell_wait() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE job bulk_jobs;
BEGIN
  PERFORM pg_advisory_xact_lock(lane_wait_key(NEW.sender_id));
  FOR job IN SELECT * FROM bulk_jobs WHERE sender_id = NEW.sender_id AND completed_at IS NULL AND NOT at_rest
    AND status IN ('Queued', 'Processing') ORDER BY id FOR SHARE
  LOOP
    PERFORM bulk_jobs_tell(job, 'job.throttled', job_event_reason(NEW.throttled_reason, NULL, NEW.throttled_until));
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER sender_lanes_tell_wait AFTER UPDATE OF throttled_reason ON sender_lanes
  FOR EACH ROW WHEN (NEW.throttled_reason IS NOT NULL AND OLD.throttled_reason IS DISTINCT FROM NEW.throttled_reason)
  EXECUTE FUNCTION sender_lanes_tell_wait();

-- A job that begins, is resumed, or ends its rest while its lane waits.
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
CREATE TRIGGER bulk_jobs_tell_lane_wait_awake AFTER UPDATE OF at_rest ON bulk_jobs
  FOR EACH ROW WHEN (OLD.at_rest AND NOT NEW.at_rest AND OLD.status IN ('Queued', 'Processing') AND NEW.status = OLD.status
    AND NEW.window_opens_at <= statement_timestamp())
  EXECUTE FUNCTION bulk_jobs_tell_lane_wait();
`;
