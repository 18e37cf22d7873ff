const CHANGES = `(SELECT COALESCE(sum(change), 0)::int FROM unread_changes WHERE account_id = `;
const CONVERSATIONS = `(SELECT count(*)::int FROM conversations WHERE unread_count > 0 AND state = 'Open' AND account_id = `;

/** The unread open conversations of account $1: its count and the changes since; without a count they are counted. */
export const COUNT_UNREAD = `
SELECT CASE WHEN k.count IS NULL THEN ${CONVERSATIONS}$1) ELSE k.count + ${CHANGES}$1) END AS count
FROM (SELECT $1::uuid AS id) a LEFT JOIN unread_counts k ON k.account_id = a.id`;

/** Arbitrary, but unique among the advisory locks in this database. */
const UNREAD_LOCK = 7305808561;

/** Locks the counts until the end of the transaction; false: another process adds to them. */
export const LOCK_COUNTS = `SELECT pg_try_advisory_xact_lock(${UNREAD_LOCK}) AS locked`;

/**
 * Adds the oldest $1 changes to the counts of their accounts and returns their number. The first count of an account is that of its conversations
 * without the changes that are left, all of the same snapshot. Changes of deleted accounts are dropped.
 */
export const FOLD_UNREAD = `
WITH taken AS MATERIALIZED (
  DELETE FROM unread_changes WHERE id = ANY(ARRAY(SELECT id FROM unread_changes ORDER BY id LIMIT $1)) RETURNING account_id, change),
summed AS MATERIALIZED (SELECT account_id, sum(change)::int AS change FROM taken GROUP BY account_id),
added AS (UPDATE unread_counts k SET count = k.count + s.change FROM summed s WHERE k.account_id = s.account_id),
begun AS (
  INSERT INTO unread_counts (account_id, count)
  SELECT s.account_id, ${CONVERSATIONS}s.account_id) - (${CHANGES}s.account_id) - s.change) FROM summed s
  WHERE EXISTS (SELECT FROM accounts WHERE id = s.account_id)
    AND NOT EXISTS (SELECT FROM unread_counts WHERE account_id = s.account_id))
SELECT count(*)::int AS count FROM taken`;
