/** The account's endpoints, and deleted ones with a remaining log: $1 account, $2 id of the last one read, $3 limit. */
export const ENDPOINTS = `
WITH RECURSIVE logged AS (
  (SELECT endpoint_id FROM webhook_deliveries ORDER BY endpoint_id LIMIT 1)
  UNION ALL
  SELECT (SELECT d.endpoint_id FROM webhook_deliveries d WHERE d.endpoint_id > l.endpoint_id ORDER BY d.endpoint_id LIMIT 1)
  FROM logged l WHERE l.endpoint_id IS NOT NULL),
walked AS (
  SELECT id FROM webhook_endpoints WHERE account_id = $1
  UNION SELECT l.endpoint_id FROM logged l WHERE l.endpoint_id IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM webhook_endpoints e WHERE e.id = l.endpoint_id))
SELECT id FROM walked WHERE $2::uuid IS NULL OR id > $2::uuid ORDER BY id LIMIT $3`;

/** Whether a body contains one of the texts $2. */
const NAMES = (body: string) =>
  `EXISTS (SELECT 1 FROM unnest($2::text[]) AS n (text) WHERE strpos(${body}, n.text) > 0)`;

/** $1 endpoint, $2 texts, $3 last id read, $4 limit. */
export const WAITING = `
WITH looked AS MATERIALIZED (SELECT id, payload FROM webhook_outbox WHERE endpoint_id = $1 AND id > $3::bigint ORDER BY id LIMIT $4)
SELECT (SELECT max(id) FROM looked) AS last, f.id, f.text
FROM (SELECT) one LEFT JOIN (SELECT id, payload AS text FROM looked WHERE ${NAMES('payload')}) f ON true`;

export const REPLACE_WAITING = `
UPDATE webhook_outbox o SET payload = r.text FROM unnest($1::bigint[], $2::text[]) AS r (id, text) WHERE o.id = r.id`;

/** $1 endpoint, $2 texts, $3 last id read, $4 limit; each body is in the partition of its attempt. */
export const LOGGED = `
WITH looked AS MATERIALIZED (
  SELECT id FROM webhook_deliveries WHERE endpoint_id = $1 AND id > $3::uuid ORDER BY id LIMIT $4)
SELECT (SELECT id FROM looked ORDER BY id DESC LIMIT 1) AS last, f.id, f.text
FROM (SELECT) one LEFT JOIN (
  SELECT b.id, b.body AS text FROM looked JOIN webhook_bodies b USING (id) WHERE ${NAMES('b.body')}) f ON true`;

export const REPLACE_LOGGED = `
UPDATE webhook_bodies b SET body = r.text FROM unnest($1::uuid[], $2::text[]) AS r (id, text) WHERE b.id = r.id`;
