/**
 * Events of jobs, written in the transaction of the change, whichever statement makes it. The job's row is locked, so the outbox has the
 * order of the changes.
 */
export const JOB_EVENTS = `
CREATE FUNCTION bulk_jobs_tell(job bulk_jobs, type text, reason json) RETURNS void LANGUAGE sql AS $$
SELECT webhook_outbox_add($1.account_id, $2, $1.id, json_build_object('jobId', $1.id, 'status', $1.status, 'kind', $1.kind,
  'templateName', $1.template_name, 'languageCode', $1.language_code, 'reference', $1.reference,
  'totalRecipients', $1.total_recipients, 'successfullySent', $1.successfully_sent, 'failed', $1.failed, 'reason', $3))
$$;
CREATE FUNCTION job_event_reason(code text, message text, until timestamptz) RETURNS json LANGUAGE sql AS $$
SELECT CASE WHEN $1 IS NOT NULL THEN json_build_object('code', $1, 'message', $2,
  'until', to_char($3 AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) END
$$;

CREATE FUNCTION bulk_jobs_tell_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.started_at IS NULL AND NEW.started_at IS NOT NULL AND NEW.status = 'Processing' THEN
    PERFORM bulk_jobs_tell(NEW, 'job.started', NULL);
  END IF;
  IF NEW.status = 'Paused' AND OLD.status <> 'Paused' THEN
    PERFORM bulk_jobs_tell(NEW, 'job.paused', job_event_reason(COALESCE(NEW.pause_problem, 'paused_by_client'), NEW.pause_reason, NULL));
  END IF;
  IF NEW.throttled_reason IS NOT NULL AND NEW.throttled_reason IS DISTINCT FROM OLD.throttled_reason THEN
    PERFORM bulk_jobs_tell(NEW, 'job.throttled', job_event_reason(NEW.throttled_reason, NULL, NEW.throttled_until));
  END IF;
  IF NEW.status IN ('Failed', 'Cancelled') AND OLD.status <> NEW.status THEN
    PERFORM bulk_jobs_tell(NEW, CASE NEW.status WHEN 'Failed' THEN 'job.failed' ELSE 'job.cancelled' END,
      job_event_reason(NEW.error_code, NEW.error_message, NULL));
  END IF;
  IF NEW.status = 'Completed' AND OLD.status <> 'Completed' THEN
    PERFORM bulk_jobs_tell(NEW, 'job.completed', NULL);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER bulk_jobs_tell_changes AFTER UPDATE OF status, started_at, throttled_reason ON bulk_jobs
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status OR OLD.started_at IS DISTINCT FROM NEW.started_at
    OR (NEW.throttled_reason IS NOT NULL AND OLD.throttled_reason IS DISTINCT FROM NEW.throttled_reason))
  EXECUTE FUNCTION bulk_jobs_tell_changes();

-- A job outside its send window is throttled until the window opens.
CREATE FUNCTION bulk_jobs_tell_window() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM bulk_jobs_tell(NEW, 'job.throttled', job_event_reason('send_window', NULL, NEW.window_opens_at));
  RETURN NULL;
END $$;
CREATE TRIGGER bulk_jobs_tell_window AFTER UPDATE OF window_opens_at ON bulk_jobs
  FOR EACH ROW WHEN (NEW.window_opens_at IS NOT NULL AND OLD.window_opens_at IS DISTINCT FROM NEW.window_opens_at)
  EXECUTE FUNCTION bulk_jobs_tell_window();
`;
