import { IS_ORIGINAL } from '../../../infra/database/database-identity';
import { isExported } from '../../../infra/database/json-lines';
import type { InboundState } from '../domain/inbound-file';

const KEPT = 'Kept' satisfies InboundState;

/** Adds the files of new messages; $6: why a file cannot be fetched, or NULL. */
export const ADD = `
INSERT INTO inbound_media (message_id, account_id, platform_media_id, mime_type, received_at, state, next_try_at, problem, sender_id)
SELECT message_id, account_id, platform_media_id, mime_type, received_at,
  CASE WHEN problem IS NULL THEN 'Waiting' ELSE 'Gone' END, CASE WHEN problem IS NULL THEN now() END, problem, sender_id
FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::timestamptz[], $6::text[], $7::uuid[])
  AS file (message_id, account_id, platform_media_id, mime_type, received_at, problem, sender_id)
ON CONFLICT (message_id) DO NOTHING`;

/** A file being fetched is deleted only after its claim has expired; otherwise the fetch could store it again. */
export const REMOVE = `
UPDATE inbound_media SET state = 'Removed', attempts = 0, mime_type = NULL, sha256 = NULL, problem = NULL,
  next_try_at = CASE WHEN claim IS NULL THEN now() ELSE next_try_at END
WHERE message_id = ANY(ARRAY(
    SELECT message_id FROM inbound_media WHERE message_id = ANY($1::uuid[]) ORDER BY message_id FOR UPDATE))
  AND state <> 'Removed'`;

/**
 * Claims, as $2 and for $3 seconds, the $1 files that have been due longest; skips locked ones, and in a copy of a database those to
 * delete: the original may have the same files.
 */
export const CLAIM = `
UPDATE inbound_media
SET claim = $2, attempts = attempts + 1, next_try_at = now() + make_interval(secs => $3)
WHERE message_id = ANY(ARRAY(
  SELECT message_id FROM inbound_media WHERE next_try_at <= now() AND (state <> 'Removed' OR ${IS_ORIGINAL})
  ORDER BY next_try_at LIMIT $1 FOR UPDATE SKIP LOCKED))
RETURNING message_id AS "messageId", account_id AS "accountId", sender_id AS "senderId", platform_media_id AS "platformMediaId",
  received_at AS "receivedAt", CASE WHEN state = 'Removed' THEN 'delete' ELSE 'fetch' END AS task, attempts AS attempt,
  claim`;

/** A row if files wait to be deleted that CLAIM skips. */
export const WITHHELD = `
SELECT FROM inbound_media WHERE state = 'Removed' AND next_try_at <= now() AND NOT ${IS_ORIGINAL} LIMIT 1`;

/** Records a file as stored, while the claim $2 is valid. */
export const MARK_STORED = `
UPDATE inbound_media SET state = '${KEPT}', mime_type = COALESCE($3, mime_type), size = $4, sha256 = $5, problem = NULL,
  claim = NULL, next_try_at = NULL
WHERE message_id = $1 AND claim = $2 AND state = 'Waiting'`;

/** Releases the claim $2; the file is due again in $3 seconds, or at once if it was removed while being fetched ($5). */
export const POSTPONE = `
UPDATE inbound_media SET claim = NULL, problem = CASE WHEN state = 'Removed' THEN NULL ELSE $4 END,
  next_try_at = now() + make_interval(secs => CASE WHEN state = 'Removed' AND $5 THEN 0 ELSE $3::float8 END)
WHERE message_id = $1 AND claim = $2`;

/** Records that a file cannot be fetched; $3: why. */
export const GIVE_UP = `
UPDATE inbound_media SET claim = NULL,
  state = CASE WHEN state = 'Removed' THEN state ELSE 'Gone' END,
  problem = CASE WHEN state = 'Removed' THEN NULL ELSE $3 END,
  next_try_at = CASE WHEN state = 'Removed' THEN now() END
WHERE message_id = $1 AND claim = $2`;

/** Deletes the row of a removed file. */
export const DELETE_RECORD = `DELETE FROM inbound_media WHERE message_id = $1 AND state = 'Removed'`;

/** The file of a message of an account. */
export const FIND = `
SELECT state, mime_type AS "mimeType", size::float8 AS size, problem FROM inbound_media
WHERE message_id = $2 AND account_id = $1 AND state <> 'Removed'`;

/** The stored files of an account by message id, as JSON lines. */
export const KEPT_OF_ACCOUNT = `
SELECT "messageId"::text AS at, CASE WHEN ${isExported('"senderId"')} THEN to_jsonb(r)::text END AS line FROM (
  SELECT message_id AS "messageId", sender_id AS "senderId", platform_media_id AS "platformMediaId", mime_type AS "mimeType", size, sha256,
    received_at AS "receivedAt"
  FROM inbound_media WHERE account_id = $1 AND state = '${KEPT}' AND message_id > $2::uuid ORDER BY message_id LIMIT $3) r`;
