/** Triggers that run on changes of a job by any statement. */
export const JOB_CHANGES = `
-- A status change clears at_rest. Every pause gets paused_at, so that it can expire.
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

-- Streams of an account find changed jobs by changed_at. Counters of a running job do not set it: all running jobs are read anyway.
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
  EXECUTE FUNCTION bulk_jobs_set_changed_at();
`;
