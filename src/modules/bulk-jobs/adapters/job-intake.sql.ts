import { retriesFrom } from './job-reads.sql';

/** The latest job of the last 24 hours created from an upload: $1 account, $2 hash. */
export const EARLIER_UPLOAD = `
SELECT id FROM bulk_jobs
WHERE account_id = $1 AND upload_hash = $2 AND created_at > now() - interval '24 hours'
  AND status NOT IN ('Importing', 'Abandoned')
ORDER BY created_at DESC LIMIT 1`;

/** Counts unfinished jobs, excluding those still being stored: $1 account, $2 the highest count. */
export const COUNT_OPEN = `
SELECT count(*)::int AS count FROM (
  SELECT 1 FROM senders s JOIN bulk_jobs j ON j.sender_id = s.id AND j.completed_at IS NULL
  WHERE s.account_id = $1 AND j.status NOT IN ('Importing', 'Abandoned') LIMIT $2) open`;

/** The retries of the job $1 that are unfinished or have sent messages, newest first. */
export const RETRIES_OF = `
SELECT id AS "jobId", retry_scope AS scope, retry_codes AS "errorCodes" FROM bulk_jobs
WHERE retry_of = $1 AND status NOT IN ('Importing', 'Abandoned')
  AND (completed_at IS NULL OR successfully_sent > 0 OR unknown > 0)
ORDER BY created_at DESC LIMIT 100`;

/** The job $1, the job that it retries and so on. */
const ANCESTORS = `ancestors (id, retry_of) AS (
  SELECT id, retry_of FROM bulk_jobs WHERE id = $1
  UNION ALL SELECT j.id, j.retry_of FROM ancestors a JOIN bulk_jobs j ON j.id = a.retry_of)`;
/** The last of them. */
const FIRST = 'SELECT a.id FROM ancestors a WHERE NOT EXISTS (SELECT 1 FROM bulk_jobs p WHERE p.id = a.retry_of)';

export const LOCK_RETRIED = `
SELECT 1 FROM bulk_jobs WHERE id = (WITH RECURSIVE ${ANCESTORS} ${FIRST}) FOR NO KEY UPDATE`;

/** All retries of the first job, of these and so on, except the job $1 and those that it comes from. */
export const OTHER_RETRIES = `
WITH RECURSIVE ${ANCESTORS}, ${retriesFrom(FIRST)}
SELECT id FROM retries WHERE id NOT IN (SELECT id FROM ancestors)`;
