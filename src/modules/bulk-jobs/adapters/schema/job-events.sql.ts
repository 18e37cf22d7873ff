/**
 * Records an event of each change of a job, in the transaction of the change and by any statement. The job's row is locked, so the
 * outbox keeps the order of the changes.
 */
export const JOB_EVENTS = `
-- Records the whole job, but for large columns that no event needs; recorded-job-event.ts builds the event from it. waits_for and
-- waits_until: why and until when a throttled job waits.
CREATE FUNCTION job_event_add(job bulk_jobs, type text, waits_for text DEFAULT NULL, waits_until timestamptz DEFAULT NULL)
RETURNS void LANGUAGE sql AS $$
SELECT webhook_outbox_add($1.account_id, $2, $1.id, jsonb_build_object('type', $2, 'waits_for', $3, 'waits_until', $4,
  'job', to_jsonb($1) - '{header_media,audience,report_columns,upload_hash,retry_codes}'::text[]))
$$;

-- A job outside its send window is throttled until the window opens.
CREATE FUNCTION bulk_jobs_add_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.started_at IS NULL AND NEW.started_at IS NOT NULL AND NEW.status = 'Processing' THEN
    PERFORM job_event_add(NEW, 'job.started');
  END IF;
  IF NEW.throttled_reason IS NOT NULL AND NEW.throttled_reason IS DISTINCT FROM OLD.throttled_reason THEN
    PERFORM job_event_add(NEW, 'job.throttled', NEW.throttled_reason, NEW.throttled_until);
  END IF;
  IF NEW.window_opens_at IS DISTINCT FROM OLD.window_opens_at AND NEW.window_opens_at IS NOT NULL
    OR OLD.status = 'Paused' AND NEW.status IN ('Queued', 'Processing') AND NEW.window_opens_at > statement_timestamp() THEN
    PERFORM job_event_add(NEW, 'job.throttled', 'send_window', NEW.window_opens_at);
  END IF;
  IF NEW.status <> OLD.status AND NEW.status IN ('Paused', 'Completed', 'Failed', 'Cancelled') THEN
    PERFORM job_event_add(NEW, 'job.' || lower(NEW.status));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER bulk_jobs_add_events AFTER UPDATE OF status, started_at, throttled_reason, window_opens_at ON bulk_jobs
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status OR OLD.started_at IS DISTINCT FROM NEW.started_at
    OR (NEW.throttled_reason IS NOT NULL AND OLD.throttled_reason IS DISTINCT FROM NEW.throttled_reason)
    OR (NEW.window_opens_at IS NOT NULL AND OLD.window_opens_at IS DISTINCT FROM NEW.window_opens_at))
  EXECUTE FUNCTION bulk_jobs_add_events();
`;
