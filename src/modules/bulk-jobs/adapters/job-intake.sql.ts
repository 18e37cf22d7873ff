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

export const LOCK_RETRIED = 'SELECT 1 FROM bulk_jobs WHERE id = $1 FOR NO KEY UPDATE';
