/** $1 account, $2 id of the endpoint before; NULL: none. */
export const NEXT_ENDPOINT = `
SELECT id FROM webhook_endpoints WHERE account_id = $1 AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT 1`;

/** In the order of the index on due rows; a retry moves a row further back. $1 endpoint, $2 texts, $3 and $4 the last row read, $5 limit. */
export const WAITING_ROWS = `
WITH looked AS MATERIALIZED (
  SELECT id, next_at, payload FROM webhook_outbox
  WHERE endpoint_id = $1 AND (next_at, id) > ($3::timestamptz, $4::bigint) ORDER BY next_at, id LIMIT $5),
last AS (SELECT next_at::text AS "nextAt", id::text FROM looked ORDER BY looked.next_at, looked.id OFFSET $5::int - 1 LIMIT 1)
SELECT (SELECT to_json(last) FROM last) AS last, f.id, f.text
FROM (SELECT) one LEFT JOIN (
  SELECT id, payload AS text FROM looked
  WHERE EXISTS (SELECT 1 FROM unnest($2::text[]) AS n (text) WHERE strpos(payload, n.text) > 0)) f ON true`;

export const REPLACE_WAITING = `
UPDATE webhook_outbox o SET payload = r.text FROM unnest($1::bigint[], $2::text[]) AS r (id, text) WHERE o.id = r.id`;

/** $1 account, $2 numbers and user ids, $3 last id read, $4 limit. */
export const LOGGED_BODIES = `
WITH named AS MATERIALIZED (SELECT id FROM webhook_bodies WHERE webhook_body_people(body) && $2::text[] AND id > $3::uuid),
own AS MATERIALIZED (
  SELECT n.id FROM named n CROSS JOIN LATERAL (SELECT d.endpoint_id FROM webhook_deliveries d WHERE d.id = n.id OFFSET 0) d
  LEFT JOIN LATERAL (SELECT e.account_id FROM webhook_endpoints e WHERE e.id = d.endpoint_id OFFSET 0) e ON true
  WHERE e.account_id IS NULL OR e.account_id = $1 ORDER BY n.id LIMIT $4)
SELECT o.id, b.body AS text FROM own o CROSS JOIN LATERAL (SELECT body FROM webhook_bodies b WHERE b.id = o.id OFFSET 0) b ORDER BY o.id`;

/** $1 ids, $2 texts. */
export const REPLACE_LOGGED = `
UPDATE webhook_bodies b SET body = r.text FROM unnest($1::uuid[], $2::text[]) AS r (id, text) WHERE b.id = r.id`;
