/** The latest job of the last 24 hours that was made from an upload: $1 account, $2 hash. */
export const EARLIER_UPLOAD = `
SELECT id FROM bulk_jobs
WHERE account_id = $1 AND upload_hash = $2 AND created_at > now() - interval '24 hours'
  AND status NOT IN ('Importing', 'Abandoned')
ORDER BY created_at DESC LIMIT 1`;
