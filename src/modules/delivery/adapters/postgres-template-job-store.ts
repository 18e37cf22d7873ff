import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { type MisplacedJob, TemplateJobStore, type WaitingJob } from '../domain/template-job-store.port';

const JOBS_WITH_TEMPLATES = `
FROM bulk_jobs j
JOIN templates t ON t.account_id = j.account_id AND t.name = j.template_name AND t.language_code = j.language_code
WHERE j.completed_at IS NULL`;

const MISPLACED = `
SELECT j.id AS "jobId", j.template_name AS "templateName", j.language_code AS "languageCode", t.status ${JOBS_WITH_TEMPLATES}
  AND j.status IN ('Queued', 'Processing') AND t.status <> 'Approved' ORDER BY j.id LIMIT $1`;

const HELD = `${JOBS_WITH_TEMPLATES} AND j.status = 'Paused' AND j.pause_problem IS NOT NULL AND j.pause_problem = ANY($1::text[]) AND t.status = 'Approved'`;

/**
 * Approved since the pause. A pause by the platform can end before it is known here: that one is checked again when the list has
 * shown the template as approved all along, but not often.
 */
const WAITING = `
SELECT j.id, j.account_id AS "accountId", j.sender_id AS "senderId", j.revision_id AS "revisionId",
  t.revision_id AS "currentRevisionId" ${HELD}
  AND (t.status_changed_at >= j.paused_at OR (j.pause_problem = 'template_paused'
    AND t.last_synced_at > j.paused_at AND j.paused_at < statement_timestamp() - interval '15 min'))
ORDER BY j.id LIMIT $2`;

const DOUBTED = `
SELECT DISTINCT j.account_id AS "accountId" ${HELD} AND (t.last_synced_at IS NULL OR t.last_synced_at < j.paused_at)`;

/** It keeps the counters of its outcomes and resumes where it stopped. */
const RESUME = `
UPDATE bulk_jobs SET status = CASE WHEN scheduled_at > now() THEN 'Scheduled' WHEN started_at IS NULL THEN 'Queued' ELSE 'Processing' END, pause_reason = NULL,
  pause_problem = NULL, paused_at = NULL, revision_id = $3, updated_at = now()
WHERE id = $1 AND status = 'Paused' AND pause_problem = ANY($2::text[])`;

const EXPLAIN = `
UPDATE bulk_jobs SET pause_problem = $3, pause_reason = $4, updated_at = now()
WHERE id = $1 AND status = 'Paused' AND pause_problem = ANY($2::text[])`;

/** Reads `templates` beside the jobs that use them. */
@Injectable()
export class PostgresTemplateJobStore extends TemplateJobStore {
  constructor(private readonly database: Database) {
    super();
  }

  misplaced(limit: number): Promise<MisplacedJob[]> {
    return this.database.rows(MISPLACED, [limit]);
  }

  waiting(problems: readonly string[], limit: number): Promise<WaitingJob[]> {
    return this.database.rows(WAITING, [problems, limit]);
  }

  async doubtedAccounts(problems: readonly string[]): Promise<string[]> {
    const rows = await this.database.rows<{ accountId: string }>(DOUBTED, [problems]);
    return rows.map(({ accountId }) => accountId);
  }

  async resume(jobId: string, problems: readonly string[], revisionId: string): Promise<boolean> {
    return (await this.database.execute(RESUME, [jobId, problems, revisionId])).affected > 0;
  }

  async explain(jobId: string, problems: readonly string[], problem: string, reason: string): Promise<boolean> {
    return (await this.database.execute(EXPLAIN, [jobId, problems, problem, reason])).affected > 0;
  }
}
