import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Events of jobs, in the transaction of the change whatever statement makes it. The state of a job changes in many statements, of clients and
 * of lanes; no one of them can forget its event. The row of the job is locked, so the rows of the outbox have the order of the changes.
 */
export class BulkJobsEvents1790000000025 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
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

-- A wait of the lane is one of all jobs that it sends for. Locked like everywhere: the lane, then jobs by id.
CREATE FUNCTION sender_lanes_tell_wait() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE job bulk_jobs;
BEGIN
  FOR job IN SELECT * FROM bulk_jobs WHERE sender_id = NEW.sender_id AND completed_at IS NULL AND NOT at_rest
    AND status IN ('Queued', 'Processing') ORDER BY id FOR SHARE
  LOOP
    PERFORM bulk_jobs_tell(job, 'job.throttled', job_event_reason(NEW.throttled_reason, NULL, NEW.throttled_until));
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER sender_lanes_tell_wait AFTER UPDATE OF throttled_reason ON sender_lanes
  FOR EACH ROW WHEN (NEW.throttled_reason IS NOT NULL AND OLD.throttled_reason IS DISTINCT FROM NEW.throttled_reason)
  EXECUTE FUNCTION sender_lanes_tell_wait();`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only go forward: to go back, restore a backup.'));
  }
}
