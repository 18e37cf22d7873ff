/** Records an event for each running job of a lane that waits. */
export const LANE_WAIT_EVENTS = `
-- Locked by a lane that begins to wait and, shared, by a job that begins to run: the second one sees what the first committed, and
-- records the event. The lane holds the lock of its row meanwhile, the job that of a row that was not running: neither blocks the other.
CREATE FUNCTION lane_wait_key(sender uuid) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
SELECT hashtextextended('lane wait ' || $1, 0)
$$;

-- Locks in the same order as every other statement: the lane, then jobs by id.
CREATE FUNCTION sender_lanes_add_wait_events() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE job bulk_jobs;
BEGIN
  PERFORM pg_advisory_xact_lock(lane_wait_key(NEW.sender_id));
  FOR job IN SELECT * FROM bulk_jobs WHERE sender_id = NEW.sender_id AND completed_at IS NULL AND NOT at_rest
    AND status IN ('Queued', 'Processing') ORDER BY id FOR SHARE
  LOOP
    PERFORM job_event_add(job, 'job.throttled', NEW.throttled_reason, NEW.throttled_until);
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER sender_lanes_add_wait_events AFTER UPDATE OF throttled_reason ON sender_lanes
  FOR EACH ROW WHEN (NEW.throttled_reason IS NOT NULL AND OLD.throttled_reason IS DISTINCT FROM NEW.throttled_reason)
  EXECUTE FUNCTION sender_lanes_add_wait_events();

-- A job that starts, resumes or leaves rest while its lane waits.
CREATE FUNCTION bulk_jobs_add_wait_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE lane sender_lanes;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(lane_wait_key(NEW.sender_id));
  SELECT * INTO lane FROM sender_lanes WHERE sender_id = NEW.sender_id;
  IF lane.throttled_reason IS NOT NULL AND lane.lease_until > statement_timestamp() THEN
    PERFORM job_event_add(NEW, 'job.throttled', lane.throttled_reason, lane.throttled_until);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER bulk_jobs_add_wait_event AFTER UPDATE OF status ON bulk_jobs
  FOR EACH ROW WHEN (NEW.status IN ('Queued', 'Processing') AND OLD.status NOT IN ('Queued', 'Processing'))
  EXECUTE FUNCTION bulk_jobs_add_wait_event();
CREATE TRIGGER bulk_jobs_add_wait_event_awake AFTER UPDATE OF at_rest ON bulk_jobs
  FOR EACH ROW WHEN (OLD.at_rest AND NOT NEW.at_rest AND OLD.status IN ('Queued', 'Processing') AND NEW.status = OLD.status
    AND NEW.window_opens_at <= statement_timestamp())
  EXECUTE FUNCTION bulk_jobs_add_wait_event();
`;
