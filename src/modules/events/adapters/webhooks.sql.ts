import { prepared } from '../../../infra/database/prepared-statement';

/** $1 account, $2 types, $3 events: one row for each endpoint that chose any of them. */
export const WRITE = prepared('SELECT webhook_outbox_write($1, $2::text[], $3::text[])');

const LEASED = `e.id, e.account_id AS "accountId", e.url, e.secret_encrypted AS "secret",
  CASE WHEN e.previous_until > statement_timestamp() THEN e.previous_secret_encrypted END AS "previousSecret",
  e.failures_in_row AS "failuresInRow", e.failing_since AS "failingSince"`;

/**
 * Endpoints of which the first row is due: $1 owner, $2 lease in ms, $3 how many. Each endpoint with rows costs one probe of the
 * index, however many rows it has. Whoever had no turn for the longest time comes first.
 */
export const LEASE = prepared(`
WITH RECURSIVE waiting AS (
  (SELECT endpoint_id FROM webhook_outbox ORDER BY endpoint_id LIMIT 1)
  UNION ALL
  SELECT (SELECT o.endpoint_id FROM webhook_outbox o WHERE o.endpoint_id > w.endpoint_id ORDER BY o.endpoint_id LIMIT 1)
  FROM waiting w WHERE w.endpoint_id IS NOT NULL)
UPDATE webhook_endpoints e SET lease_owner = $1, lease_until = clock_timestamp() + $2 * interval '1 ms'
WHERE e.id = ANY(ARRAY(
  SELECT c.id FROM waiting w JOIN webhook_endpoints c ON c.id = w.endpoint_id
  WHERE c.status = 'Enabled' AND c.lease_until < statement_timestamp()
    AND COALESCE(c.blocked_until <= statement_timestamp(), true)
    AND (SELECT o.next_at FROM webhook_outbox o WHERE o.endpoint_id = c.id ORDER BY o.next_at LIMIT 1) <= statement_timestamp()
  ORDER BY c.lease_until, c.id LIMIT $3 FOR UPDATE OF c SKIP LOCKED))
RETURNING ${LEASED}`);

/** $1 owner, $2 endpoints, $3 lease in ms. */
export const RENEW = prepared(`
UPDATE webhook_endpoints e SET lease_until = clock_timestamp() + $3 * interval '1 ms'
WHERE e.id = ANY(ARRAY(
  SELECT c.id FROM webhook_endpoints c WHERE c.id = ANY($2::uuid[]) AND c.lease_owner = $1 AND c.status = 'Enabled'
  ORDER BY c.id FOR UPDATE))
RETURNING ${LEASED}`);

/** $1 owner, $2 endpoint, $3 how many ms nobody takes it. */
export const RELEASE = prepared(`
UPDATE webhook_endpoints SET lease_owner = NULL, lease_until = clock_timestamp() + $3 * interval '1 ms'
WHERE id = $2 AND lease_owner = $1`);

/** $1 endpoint, $2 rows to leave out, $3 how many, $4 how many bytes together, at least one row. */
export const DUE = prepared(`
SELECT id, key, "firstBody", payload, remaining, attempt, "isOrdered", "createdAt" FROM (
  SELECT o.id, o.key, o.first_body AS "firstBody", o.payload, o.remaining, o.attempt, o.order_key IS NOT NULL AS "isOrdered",
    o.created_at AS "createdAt", o.next_at,
    sum(octet_length(o.payload)) OVER (ORDER BY o.next_at, o.id) - octet_length(o.payload) AS before
  FROM (
    SELECT * FROM webhook_outbox o
    WHERE o.endpoint_id = $1 AND o.next_at <= statement_timestamp() AND o.id <> ALL($2::bigint[])
      AND (o.order_key IS NULL OR NOT EXISTS (
        SELECT 1 FROM webhook_outbox e WHERE e.endpoint_id = $1 AND e.order_key = o.order_key AND e.id < o.id))
    ORDER BY o.next_at, o.id LIMIT $3) o
) d WHERE before < $4 ORDER BY next_at, id`);

/**
 * Deletes what is done with, says when the rest is tried again, and writes the log: $1 rows that are done; $2 to $5 rows to try again,
 * the attempts so far, the wait in ms and the lines that remain; $6 to $18 the attempts. May be repeated when its answer was lost. A result
 * that comes late changes no row that has been tried more often since.
 */
export const FINISH = prepared(`
WITH done AS (DELETE FROM webhook_outbox WHERE id = ANY($1::bigint[])),
again AS (
  UPDATE webhook_outbox o SET attempt = a.attempt, next_at = clock_timestamp() + a.after_ms * interval '1 ms',
    remaining = a.remaining::int[]
  FROM unnest($2::bigint[], $3::int[], $4::float8[], $5::text[]) AS a (id, attempt, after_ms, remaining)
  WHERE o.id = a.id AND o.attempt <= a.attempt),
attempts AS (
  SELECT * FROM unnest($6::uuid[], $7::uuid[], $8::uuid[], $9::int[], $10::text[], $11::int[], $12::text[], $13::int[], $14::text[],
    $15::int[], $16::timestamptz[], $17::timestamptz[], $18::text[])
  AS t (id, endpoint_id, key, body, events, attempt, status, http_status, error, duration_ms, at, next_attempt_at, payload)),
logged AS (
  INSERT INTO webhook_deliveries (id, endpoint_id, key, body, events, attempt, status, http_status, error, duration_ms, at,
    next_attempt_at)
  SELECT id, endpoint_id, key, body, string_to_array(events, ','), attempt, status, http_status, error, duration_ms, at,
    next_attempt_at
  FROM attempts ON CONFLICT DO NOTHING)
INSERT INTO webhook_bodies (id, body) SELECT id, payload FROM attempts ON CONFLICT DO NOTHING`);

export const SUCCEEDED = `
UPDATE webhook_endpoints SET failing_since = NULL, failures_in_row = 0, blocked_until = NULL WHERE id = $1`;

/** $1 endpoint, $2 failures in a row, $3 how many ms nothing is delivered. */
export const FAILED = `
UPDATE webhook_endpoints SET failing_since = COALESCE(failing_since, clock_timestamp()), failures_in_row = LEAST($2, 1000),
  blocked_until = CASE WHEN $3::float8 > 0 THEN clock_timestamp() + $3 * interval '1 ms' END
WHERE id = $1 RETURNING failing_since AS since`;

export const DISABLE = `
UPDATE webhook_endpoints SET status = 'Disabled', disabled_reason = $2 WHERE id = $1 AND status = 'Enabled'`;

/** Rows of endpoints that are gone, and old ones of endpoints that are disabled: $1 how many, $2 days. */
export const DELETE_LEFTOVERS = `
WITH RECURSIVE waiting AS (
  (SELECT endpoint_id FROM webhook_outbox ORDER BY endpoint_id LIMIT 1)
  UNION ALL
  SELECT (SELECT o.endpoint_id FROM webhook_outbox o WHERE o.endpoint_id > w.endpoint_id ORDER BY o.endpoint_id LIMIT 1)
  FROM waiting w WHERE w.endpoint_id IS NOT NULL),
over AS (
  SELECT w.endpoint_id, e.id IS NULL AS gone FROM waiting w LEFT JOIN webhook_endpoints e ON e.id = w.endpoint_id
  WHERE w.endpoint_id IS NOT NULL AND (e.id IS NULL OR e.status = 'Disabled'))
DELETE FROM webhook_outbox WHERE id = ANY(ARRAY(
  SELECT id FROM webhook_outbox WHERE id = ANY(ARRAY(
    SELECT o.id FROM over v JOIN webhook_outbox o ON o.endpoint_id = v.endpoint_id
    WHERE v.gone OR o.created_at < statement_timestamp() - $2 * interval '1 day' LIMIT $1))
  ORDER BY id FOR UPDATE SKIP LOCKED))`;

export const ENDPOINT = `id, account_id AS "accountId", url, events, max_events AS "maxEvents", status,
  disabled_reason AS "disabledReason", failing_since AS "failingSince", created_at AS "createdAt",
  CASE WHEN previous_until > statement_timestamp() THEN previous_until END AS "previousSecretValidUntil"`;

/** $1 to $6 the endpoint and its secret, $7 how many the account may have. Two at once may exceed it by one. */
export const INSERT_ENDPOINT = `
INSERT INTO webhook_endpoints (id, account_id, url, events, max_events, status, secret_encrypted)
SELECT $1, $2, $3, $4, $5, 'Enabled', $6
WHERE (SELECT count(*) FROM webhook_endpoints WHERE account_id = $2) < $7::int`;

/** $1 account, $2 id; what is null stays as it is. */
export const CHANGE_ENDPOINT = `
UPDATE webhook_endpoints SET url = COALESCE($3, url), events = COALESCE($4::text[], events),
  max_events = COALESCE($5::smallint, max_events), status = COALESCE($6, status),
  disabled_reason = CASE COALESCE($6, 'as it is') WHEN 'Enabled' THEN NULL WHEN 'Disabled'
    THEN COALESCE(disabled_reason, 'disabled_by_client') ELSE disabled_reason END,
  failing_since = CASE WHEN $6 = 'Enabled' AND status = 'Disabled' THEN NULL ELSE failing_since END,
  failures_in_row = CASE WHEN $6 = 'Enabled' AND status = 'Disabled' THEN 0 ELSE failures_in_row END,
  blocked_until = CASE WHEN $3::text IS NOT NULL OR $6 = 'Enabled' THEN NULL ELSE blocked_until END
WHERE account_id = $1 AND id = $2`;

export const REPLACE_SECRET = `
UPDATE webhook_endpoints SET secret_encrypted = $3,
  previous_secret_encrypted = CASE WHEN $4::int > 0 THEN secret_encrypted END,
  previous_until = CASE WHEN $4::int > 0 THEN clock_timestamp() + $4::int * interval '1 s' END
WHERE account_id = $1 AND id = $2`;

export const SECRETS = `
SELECT secret_encrypted AS "secret",
  CASE WHEN previous_until > statement_timestamp() THEN previous_secret_encrypted END AS "previousSecret"
FROM webhook_endpoints WHERE id = $1`;

const DELIVERY = `d.id, d.endpoint_id AS "endpointId", d.key, d.body, d.events, d.attempt, d.status, d.http_status AS "httpStatus",
  d.error, d.duration_ms AS "durationMs", d.at, d.next_attempt_at AS "nextAttemptAt",
  (SELECT b.body FROM webhook_bodies b WHERE b.id = d.id) AS payload`;

/** $1 endpoint, $2 the id before which to begin, $3 how many. */
export const DELIVERIES = `
SELECT ${DELIVERY} FROM webhook_deliveries d WHERE d.endpoint_id = $1 AND d.id < $2::uuid ORDER BY d.id DESC LIMIT $3`;

/** $1 account, $2 id. */
export const DELIVERY_OF = `
SELECT ${DELIVERY} FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
WHERE d.id = $2 AND e.account_id = $1`;

export const REPLAY = `
INSERT INTO webhook_outbox (endpoint_id, key, first_body, bodies, payload)
SELECT d.endpoint_id, d.key, d.body, 1, b.body
FROM webhook_deliveries d JOIN webhook_bodies b ON b.id = d.id WHERE d.id = $1`;

/**
 * Attempts of endpoint $1 from id $2 on that are the last ones of their bodies: at most $3 are looked at. Every body once: one that failed and
 * then arrived counts by its arrival.
 */
export const REPLAY_SINCE = `
WITH looked AS (
  SELECT id, endpoint_id, key, body, status, attempt, at FROM webhook_deliveries
  WHERE endpoint_id = $1 AND id >= $2::uuid ORDER BY id LIMIT $3),
last AS (SELECT DISTINCT ON (key, body) * FROM looked WHERE status <> 'Retrying' AND attempt > 0 ORDER BY key, body, id DESC),
added AS (
  INSERT INTO webhook_outbox (endpoint_id, key, first_body, bodies, payload)
  SELECT l.endpoint_id, l.key, l.body, 1, b.body FROM last l JOIN webhook_bodies b ON b.id = l.id ORDER BY l.id
  RETURNING 1)
SELECT (SELECT count(*)::int FROM added) AS replayed, (SELECT count(*)::int FROM looked) AS looked,
  (SELECT max(at) FROM looked) AS "lastAt"`;
