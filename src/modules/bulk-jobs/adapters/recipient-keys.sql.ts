/** Jobs that keep their recipients. Importers store the keys of the others, and retention deletes them. */
const KEEPS_RECIPIENTS = `
  total_recipients > 0 AND status NOT IN ('Importing', 'Abandoned') AND recipients_expired_at IS NULL AND NOT recipients_cleared`;

/**
 * Of the $2 newest jobs before $1, by id: the newest one without all of its keys, and the last one examined. Keys are complete once
 * position 1 has them.
 */
export const NEXT_UNKEYED_JOB = `
WITH examined AS MATERIALIZED (
  SELECT id, ${KEEPS_RECIPIENTS}
    AND (SELECT true FROM job_recipient_keys k WHERE k.job_id = j.id AND k.first_position = 1) IS NULL AS unkeyed
  FROM bulk_jobs j WHERE id < $1 ORDER BY id DESC LIMIT $2)
SELECT (SELECT id FROM examined WHERE unkeyed ORDER BY id DESC LIMIT 1) AS "jobId", (SELECT id FROM examined ORDER BY id LIMIT 1) AS last`;

/** Excludes erasures of people from the job, which change keys. None if the job is locked, or no longer keeps its recipients. */
export const LOCK_TO_KEY = `
SELECT total_recipients AS total FROM bulk_jobs WHERE id = $1 AND ${KEEPS_RECIPIENTS} FOR NO KEY UPDATE SKIP LOCKED`;

/** The first position that has keys, as they are stored from the end of the job. */
export const FIRST_KEYED = `SELECT min(first_position) AS first FROM job_recipient_keys WHERE job_id = $1`;

export const STORE_KEYS = `
INSERT INTO job_recipient_keys (job_id, first_position, last_position, keys) VALUES ($1, $2, $3, $4::int[])`;
