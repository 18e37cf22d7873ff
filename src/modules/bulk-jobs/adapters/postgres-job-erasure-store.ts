import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { RECIPIENT_ERASED } from '../../sending/domain/send-state';
import { JobErasureStore, type JobPosition, type ScannedJob } from '../domain/job-erasure-store.port';

/** $4 number and user id of the person. Invalid rows contain the number as written in the file: only its digits are compared. */
const PEOPLE = `
SELECT position FROM job_recipients
WHERE job_id = $1 AND position BETWEEN $2 AND $3 AND (phone = ANY($4::text[]) OR user_id = ANY($4::text[]) OR (
  outcome = 'Failed' AND attempt = 0 AND ltrim(regexp_replace(phone, '\\D', '', 'g'), '0') = ANY($4::text[])))`;

/** What remains of an erased recipient. */
const NOTHING = `phone = '', parameters = '[]', user_id = NULL, extras = NULL, reference = NULL, other_cells = NULL`;

const LOCK = `
SELECT cursor, completed_at IS NOT NULL OR status IN ('Cancelled', 'Failed') AS "hasEnded"
FROM bulk_jobs WHERE id = $1 FOR UPDATE`;

/** While the job is locked, recipients beyond the cursor or waiting for a retry are not in flight. */
const SKIP = `
UPDATE job_recipients SET outcome = 'Skipped', problem = $4, problem_message = $5, retry_at = NULL, ${NOTHING},
  updated_at = clock_timestamp()
WHERE job_id = $1 AND position = ANY($2::int[]) AND outcome IS NULL AND (position >= $3 OR retry_at IS NOT NULL)`;

/** Recipients that an ended job never tried keep an outcome of NULL. */
const BLANK = `
UPDATE job_recipients SET ${NOTHING}
WHERE job_id = $1 AND position = ANY($2::int[])
  AND (outcome IS NOT NULL OR ($4::boolean AND position >= $3 AND retry_at IS NULL))`;

/** Erases a person from the table `job_recipients`; an empty phone marks an erased recipient. */
@Injectable()
export class PostgresJobErasureStore extends JobErasureStore {
  constructor(private readonly database: Database) {
    super();
  }

  jobs(accountId: string, until: Date, from: JobPosition | null, limit: number): Promise<ScannedJob[]> {
    return this.database.rows<ScannedJob>(
      `SELECT id AS "jobId", created_at::text AS "createdAt", status = 'Importing' AS "isImporting",
         total_recipients AS "totalRecipients"
       FROM bulk_jobs
       WHERE account_id = $1 AND created_at < $2 AND status <> 'Abandoned'
         AND ($3::timestamptz IS NULL OR (created_at, id) >= ($3, $4))
       ORDER BY created_at, id LIMIT $5`,
      [accountId, until, from?.createdAt ?? null, from?.jobId ?? null, limit],
    );
  }

  async erase(jobId: string, first: number, last: number, people: readonly string[]): Promise<boolean> {
    const found = await this.database.rows<{ position: number }>(PEOPLE, [jobId, first, last, people]);
    if (found.length === 0) return true;
    const positions = found.map(({ position }) => position);
    return this.database.transaction(async () => {
      const [job] = await this.database.rows<{ cursor: number; hasEnded: boolean }>(LOCK, [jobId]);
      if (!job) return true;
      if (!job.hasEnded) {
        const { affected } = await this.database.execute(SKIP, [
          jobId,
          positions,
          job.cursor,
          RECIPIENT_ERASED.code,
          RECIPIENT_ERASED.message,
        ]);
        if (affected > 0) {
          await this.database.execute(
            'UPDATE bulk_jobs SET skipped = skipped + $2, failed = failed + $2, updated_at = now() WHERE id = $1',
            [jobId, affected],
          );
        }
      }
      await this.database.execute(BLANK, [jobId, positions, job.cursor, job.hasEnded]);
      const left = await this.database.rows(
        `SELECT 1 FROM job_recipients
         WHERE job_id = $1 AND position = ANY($2::int[]) AND outcome IS NULL AND phone <> '' LIMIT 1`,
        [jobId, positions],
      );
      return left.length === 0;
    });
  }
}
