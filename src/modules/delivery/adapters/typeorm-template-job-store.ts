import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import type { TemplateStatus } from '../../templates/domain/template';
import { type MisplacedJob, TemplateJobStore, type WaitingJob } from '../domain/template-job-store.port';

const JOBS_WITH_TEMPLATES = `
FROM bulk_jobs j
JOIN templates t ON t.account_id = j.account_id AND t.name = j.template_name AND t.language_code = j.language_code
WHERE j.completed_at IS NULL`;

const MISPLACED = `
SELECT j.id, j.template_name, j.language_code, t.status ${JOBS_WITH_TEMPLATES}
  AND j.status IN ('Queued', 'Processing') AND t.status <> 'Approved' ORDER BY j.id LIMIT $1`;

const HELD = `${JOBS_WITH_TEMPLATES} AND j.status = 'Paused' AND j.pause_problem = ANY($1::text[]) AND t.status = 'Approved'`;

/**
 * Approved since the pause. A pause by the platform can end before it is known here: that one is tried again when the list has
 * shown the template as approved all along, but not often.
 */
const WAITING = `
SELECT j.id, j.sender_id, j.revision_id, t.revision_id AS current_revision_id ${HELD}
  AND (t.status_changed_at >= j.paused_at OR (j.pause_problem = 'template_paused'
    AND t.last_synced_at > j.paused_at AND j.paused_at < clock_timestamp() - interval '15 min'))
ORDER BY j.id LIMIT $2`;

const DOUBTED = `
SELECT DISTINCT j.account_id ${HELD} AND (t.last_synced_at IS NULL OR t.last_synced_at < j.paused_at)`;

/** The counters of its outcomes stand: it goes on where it stopped. */
const RESUME = `
UPDATE bulk_jobs SET status = CASE WHEN started_at IS NULL THEN 'Queued' ELSE 'Processing' END, pause_reason = NULL,
  pause_problem = NULL, paused_at = NULL, revision_id = $3, updated_at = now()
WHERE id = $1 AND status = 'Paused' AND pause_problem = ANY($2::text[])`;

const EXPLAIN = `
UPDATE bulk_jobs SET pause_problem = $3, pause_reason = $4, updated_at = now()
WHERE id = $1 AND status = 'Paused' AND pause_problem = ANY($2::text[])`;

/** Reads `templates` beside the jobs that use them. */
@Injectable()
export class TypeOrmTemplateJobStore extends TemplateJobStore {
  constructor(private readonly database: Database) {
    super();
  }

  async misplaced(limit: number): Promise<MisplacedJob[]> {
    const rows = await this.database.rows<{
      id: string;
      template_name: string;
      language_code: string;
      status: TemplateStatus;
    }>(MISPLACED, [limit]);
    return rows.map(({ id: jobId, template_name: templateName, language_code: languageCode, status }) => ({
      ...{ jobId, templateName, languageCode, status },
    }));
  }

  async waiting(problems: readonly string[], limit: number): Promise<WaitingJob[]> {
    const rows = await this.database.rows<{
      id: string;
      sender_id: string;
      revision_id: string;
      current_revision_id: string;
    }>(WAITING, [problems, limit]);
    return rows.map((row) => ({
      jobId: row.id,
      senderId: row.sender_id,
      revisionId: row.revision_id,
      currentRevisionId: row.current_revision_id,
    }));
  }

  async doubtedAccounts(problems: readonly string[]): Promise<string[]> {
    const rows = await this.database.rows<{ account_id: string }>(DOUBTED, [problems]);
    return rows.map((row) => row.account_id);
  }

  async resume(jobId: string, problems: readonly string[], revisionId: string): Promise<boolean> {
    return (await this.database.execute(RESUME, [jobId, problems, revisionId])).affected > 0;
  }

  async explain(jobId: string, problems: readonly string[], problem: string, reason: string): Promise<boolean> {
    return (await this.database.execute(EXPLAIN, [jobId, problems, problem, reason])).affected > 0;
  }
}
