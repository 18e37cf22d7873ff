/** Marks the jobs to be sampled. Their counters are sampled, so that sending and recording write nothing for it. */
export const JOB_PACE = `
CREATE FUNCTION job_pace_begin() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO job_pace (job_id, sent, failed) VALUES (NEW.id, OLD.successfully_sent, OLD.failed) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER job_pace_begin AFTER UPDATE OF status ON bulk_jobs
  FOR EACH ROW WHEN (NEW.status = 'Processing' AND OLD.status <> 'Processing') EXECUTE FUNCTION job_pace_begin();

-- Recipients whose job was cancelled or failed before their turn are counted as failed when the job completes: the pace leaves them
-- out. A job that is due already is marked again: a sampler that read older counters may be about to clear the mark.
CREATE FUNCTION job_pace_due() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  never_tried integer := CASE WHEN OLD.completed_at IS NULL AND NEW.completed_at IS NOT NULL AND NEW.status IN ('Cancelled', 'Failed')
    THEN NEW.failed - OLD.failed ELSE 0 END;
BEGIN
  UPDATE job_pace SET due = true, failed = failed + never_tried WHERE job_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER job_pace_due AFTER UPDATE OF completed_at, at_rest, successfully_sent ON bulk_jobs
  FOR EACH ROW WHEN ((NEW.at_rest AND NOT OLD.at_rest) OR (NEW.completed_at IS NOT NULL
    AND (OLD.completed_at IS NULL OR NEW.successfully_sent <> OLD.successfully_sent))) EXECUTE FUNCTION job_pace_due();

-- The samples expire with the recipients of the job.
CREATE FUNCTION job_pace_forget() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM job_pace WHERE job_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER job_pace_forget AFTER UPDATE OF recipients_cleared ON bulk_jobs
  FOR EACH ROW WHEN (NEW.recipients_cleared AND NOT OLD.recipients_cleared) EXECUTE FUNCTION job_pace_forget();
`;
