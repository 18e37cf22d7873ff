import { IS_ORIGINAL } from '../../../infra/database/database-identity';
import { prepared } from '../../../infra/database/prepared-statement';
import type { DeliveryStatus } from '../domain/webhook-delivery';

/** Writes one row for each endpoint that subscribed to any of the events: $1 account, $2 types, $3 events, $4 trace. */
export const WRITE = prepared('SELECT webhook_outbox_write($1, $2::text[], $3::text[], $4)');

/** Minimum time between two steps of a replay. */
export const STEP_INTERVAL = `interval '1 s'`;

/** Whether a process may take an endpoint. */
const FREE = (e: string) => `${e}.status = 'Enabled' AND ${e}.lease_until < statement_timestamp()
    AND COALESCE(${e}.blocked_until <= statement_timestamp(), true)`;

/** Endpoints with rows, by one index probe each, independent of their number of rows; the last one is NULL. */
const WAITING = `waiting AS (
  (SELECT endpoint_id FROM webhook_outbox ORDER BY endpoint_id LIMIT 1)
  UNION ALL
  SELECT (SELECT o.endpoint_id FROM webhook_outbox o WHERE o.endpoint_id > w.endpoint_id ORDER BY o.endpoint_id LIMIT 1)
  FROM waiting w WHERE w.endpoint_id IS NOT NULL)`;

const LEASED = `e.id, e.account_id AS "accountId", e.url, e.secret_encrypted AS "secret",
  CASE WHEN e.previous_until > statement_timestamp() THEN e.previous_secret_encrypted END AS "previousSecret",
  e.failures_in_row AS "failuresInRow", e.failing_since AS "failingSince",
  (SELECT CASE WHEN r.last_id IS NULL THEN 'Requested' ELSE 'Walking' END FROM webhook_replays r WHERE r.endpoint_id = e.id) AS replay`;

/**
 * Leases endpoints with a due row or a due step of a replay: $1 owner, $2 lease in ms, $3 limit, $4 and $5 accounts and the number of
 * their endpoints held by this process, $6 limit per account. Accounts take turns: the first endpoint of each comes before the second of
 * any, the longest without a turn first. None of a restored database. Endpoints that cannot be leased are looked at again when they can.
 */
export const LEASE = prepared(`
WITH looked AS MATERIALIZED (
  SELECT e.id, e.account_id, e.lease_until, GREATEST(COALESCE(f.next_at, 'infinity'), e.lease_until, e.blocked_until) AS due_at
  FROM webhook_endpoints e LEFT JOIN LATERAL (
    SELECT o.next_at FROM webhook_outbox o WHERE o.endpoint_id = e.id ORDER BY o.next_at LIMIT 1) f ON true
  WHERE e.status = 'Enabled' AND e.next_due_at < 'infinity' AND e.next_due_at <= statement_timestamp()),
due AS MATERIALIZED (
  SELECT id, account_id, lease_until FROM looked WHERE due_at <= statement_timestamp()
  UNION SELECT e.id, e.account_id, e.lease_until FROM webhook_replays r CROSS JOIN LATERAL (
    SELECT * FROM webhook_endpoints c WHERE c.id = r.endpoint_id LIMIT 1) e
  WHERE r.stepped_at <= statement_timestamp() - ${STEP_INTERVAL} AND ${FREE('e')}),
later AS (
  UPDATE webhook_endpoints e SET next_due_at = l.due_at FROM looked l
  WHERE e.id = l.id AND e.id = ANY(ARRAY(
    SELECT c.id FROM looked n CROSS JOIN LATERAL (
      SELECT id FROM webhook_endpoints WHERE id = n.id FOR NO KEY UPDATE SKIP LOCKED) c
    WHERE n.due_at > statement_timestamp() AND NOT EXISTS (SELECT 1 FROM due d WHERE d.id = n.id)))),
ranked AS (
  SELECT d.id, d.lease_until,
    COALESCE(h.held, 0) + row_number() OVER (PARTITION BY d.account_id ORDER BY d.lease_until, d.id) AS place
  FROM due d LEFT JOIN unnest($4::uuid[], $5::int[]) AS h (account_id, held) ON h.account_id = d.account_id)
UPDATE webhook_endpoints e SET lease_owner = $1, lease_until = clock_timestamp() + $2 * interval '1 ms',
  next_due_at = clock_timestamp() + $2 * interval '1 ms'
WHERE e.id = ANY(ARRAY(
  SELECT c.id FROM (SELECT id FROM ranked WHERE place <= $6 ORDER BY place, lease_until, id LIMIT $3) r CROSS JOIN LATERAL (
    SELECT f.id FROM webhook_endpoints f WHERE f.id = r.id AND ${FREE('f')} FOR UPDATE SKIP LOCKED) c)) AND ${IS_ORIGINAL}
RETURNING ${LEASED}`);

/**
 * Lets processes look at endpoints with due rows that they would not look at: a row was committed while they looked. Returns the newest
 * row.
 */
const findOverlooked = (waiting: string): string => `
WITH RECURSIVE ${waiting},
woken AS (
  UPDATE webhook_endpoints SET next_due_at = '-infinity' WHERE id = ANY(ARRAY(
    SELECT f.id FROM waiting w CROSS JOIN LATERAL (
      SELECT c.id FROM webhook_endpoints c
      WHERE c.id = w.endpoint_id AND ${FREE('c')} AND c.next_due_at > statement_timestamp() AND (SELECT o.next_at
        FROM webhook_outbox o WHERE o.endpoint_id = w.endpoint_id ORDER BY o.next_at LIMIT 1) <= statement_timestamp()
      FOR NO KEY UPDATE SKIP LOCKED) f)))
SELECT COALESCE((SELECT id FROM webhook_outbox ORDER BY id DESC LIMIT 1), 0) AS newest`;
export const FIND_OVERLOOKED = findOverlooked(WAITING);
/** Only those with rows after $1. */
export const FIND_OVERLOOKED_SINCE = findOverlooked(
  'waiting AS (SELECT DISTINCT endpoint_id FROM webhook_outbox WHERE id > $1)',
);

/** $1 owner, $2 endpoints, $3 lease in ms. */
export const RENEW = prepared(`
UPDATE webhook_endpoints e SET lease_until = clock_timestamp() + $3 * interval '1 ms'
WHERE e.id = ANY(ARRAY(
  SELECT c.id FROM webhook_endpoints c WHERE c.id = ANY($2::uuid[]) AND c.lease_owner = $1 AND c.status = 'Enabled'
  ORDER BY c.id FOR UPDATE))
RETURNING ${LEASED}`);

/**
 * $1 owner, $2 endpoint, $3 time in ms for which it cannot be leased. Processes look once more after 2 s, when transactions that have not
 * committed their rows yet mostly have.
 */
export const RELEASE = prepared(`
UPDATE webhook_endpoints e SET lease_owner = NULL, lease_until = clock_timestamp() + $3 * interval '1 ms',
  next_due_at = GREATEST(clock_timestamp() + $3 * interval '1 ms', e.blocked_until, LEAST(clock_timestamp() + interval '2 s',
    (SELECT o.next_at FROM webhook_outbox o WHERE o.endpoint_id = $2 ORDER BY o.next_at LIMIT 1)))
WHERE e.id = $2 AND e.lease_owner = $1`);

/**
 * $1 endpoint, $2 rows to exclude, $3 limit of rows, $4 limit of bytes of stored bodies but at least one row, $5 last order key read,
 * $6 limit of order keys. Only the first row of an order key is read. While a replay walks through ordered rows, other ordered rows wait, as they come
 * later. Returns one row without an id if nothing is due.
 */
export const DUE = prepared(`
WITH RECURSIVE heads AS (
  (SELECT o.order_key, o.id, 1 AS n FROM webhook_outbox o WHERE o.endpoint_id = $1 AND o.order_key > $5::uuid
   ORDER BY o.order_key, COALESCE(o.replay_of, o.id) LIMIT 1)
  UNION ALL
  SELECT f.order_key, f.id, h.n + 1 FROM heads h CROSS JOIN LATERAL (
    SELECT o.order_key, o.id FROM webhook_outbox o WHERE o.endpoint_id = $1 AND o.order_key > h.order_key
    ORDER BY o.order_key, COALESCE(o.replay_of, o.id) LIMIT 1) f
  WHERE h.n < $6),
due AS (
  SELECT o.* FROM heads h JOIN webhook_outbox o ON o.id = h.id
  WHERE o.next_at <= statement_timestamp() AND o.id <> ALL($2::bigint[])
    AND (o.replay_of IS NOT NULL OR NOT EXISTS (SELECT 1 FROM webhook_replays r WHERE r.endpoint_id = $1 AND r.in_order))
  UNION ALL
  (SELECT o.* FROM webhook_outbox o
   WHERE o.endpoint_id = $1 AND o.order_key IS NULL AND o.next_at <= statement_timestamp() AND o.id <> ALL($2::bigint[])
   ORDER BY o.next_at, o.id LIMIT $3))
SELECT k.last AS "lastKey", d.id, d.key, d.first_body AS "firstBody", d.payload, d.job_event AS "jobEvent", d.remaining, d.attempt,
  d.order_key AS "orderKey", COALESCE(d.replay_of, d.id) AS place, d.replay_of IS NOT NULL AS "isReplay", d.created_at AS "createdAt", d.traceparent
FROM (SELECT (SELECT order_key FROM heads WHERE n = $6) AS last) k LEFT JOIN (
  SELECT f.*, sum(f.bytes) OVER (ORDER BY f.next_at, f.id) - f.bytes AS before
  FROM (SELECT *, COALESCE(octet_length(payload), 0) AS bytes FROM due ORDER BY next_at, id LIMIT $3) f) d ON d.before < $4
ORDER BY d.next_at, d.id`);

/** The traces of the requests that sent messages or created jobs: $1 messages, $2 jobs. */
export const TRACES = prepared(`
SELECT message_id AS id, traceparent FROM single_sends WHERE message_id = ANY($1::uuid[]) AND traceparent IS NOT NULL
UNION ALL SELECT id, traceparent FROM bulk_jobs WHERE id = ANY($2::uuid[]) AND traceparent IS NOT NULL`);

/**
 * Deletes finished rows, schedules retries and writes the log: $1 finished rows; $2 to $5 rows to retry, attempts so far, delay in ms and
 * remaining lines; $6 to $21 the attempts. Idempotent, so it can be repeated if its answer was lost. A late result does not change rows
 * with more attempts.
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
    $15::int[], $16::timestamptz[], $17::timestamptz[], $18::text[], $19::uuid[], $20::bigint[], $21::boolean[])
  AS t (id, endpoint_id, key, body, events, attempt, status, http_status, error, duration_ms, at, next_attempt_at, payload, order_key,
    row_id, replayed)),
logged AS (
  INSERT INTO webhook_deliveries (id, endpoint_id, key, body, events, attempt, status, http_status, error, duration_ms, at,
    next_attempt_at, order_key, row_id, replayed, logged_at)
  SELECT id, endpoint_id, key, body, string_to_array(events, ','), attempt, status, http_status, error, duration_ms, at,
    next_attempt_at, order_key, row_id, replayed, clock_timestamp()
  FROM attempts ON CONFLICT DO NOTHING)
INSERT INTO webhook_bodies (id, body) SELECT id, payload FROM attempts ON CONFLICT DO NOTHING`);

export const SUCCEEDED = `
UPDATE webhook_endpoints SET failing_since = NULL, failures_in_row = 0, blocked_until = NULL,
  next_due_at = CASE WHEN blocked_until IS NULL THEN next_due_at ELSE '-infinity' END
WHERE id = $1`;

/** $1 endpoint, $2 consecutive failures, $3 time in ms for which nothing is delivered. */
export const FAILED = `
UPDATE webhook_endpoints SET failing_since = COALESCE(failing_since, clock_timestamp()), failures_in_row = LEAST($2, 1000),
  blocked_until = CASE WHEN $3::float8 > 0 THEN clock_timestamp() + $3 * interval '1 ms' END,
  next_due_at = CASE WHEN $3::float8 > 0 THEN next_due_at ELSE '-infinity' END
WHERE id = $1 RETURNING failing_since AS since`;

export const DISABLE = `
UPDATE webhook_endpoints SET status = 'Disabled', disabled_reason = $2 WHERE id = $1 AND status = 'Enabled'`;

/** Takes the upkeep for $1 ms. */
export const TAKE_UPKEEP = `
UPDATE webhook_upkeep SET due_at = clock_timestamp() + $1::float8 * interval '1 ms' WHERE due_at <= clock_timestamp()`;

/**
 * Adds the next $1 rows to the backlogs of their endpoints; returns their number. Does not notice a row that is committed after a later
 * one was counted, as the limit of a backlog is not exact.
 */
export const COUNT_WRITTEN = `
WITH written AS MATERIALIZED (
  SELECT id, endpoint_id, bodies FROM webhook_outbox WHERE id > (SELECT counted_to FROM webhook_upkeep) ORDER BY id LIMIT $1),
upto AS (UPDATE webhook_upkeep SET counted_to = w.last FROM (SELECT max(id) AS last FROM written) w WHERE w.last IS NOT NULL),
counted AS (
  INSERT INTO webhook_backlogs AS b (endpoint_id, bodies)
  SELECT e.id, w.bodies FROM (SELECT endpoint_id, sum(bodies) AS bodies FROM written GROUP BY endpoint_id) w
  CROSS JOIN LATERAL (SELECT id FROM webhook_endpoints WHERE id = w.endpoint_id LIMIT 1) e ORDER BY e.id
  ON CONFLICT (endpoint_id) DO UPDATE SET bodies = b.bodies + EXCLUDED.bodies)
SELECT count(*)::int AS rows FROM written`;

/** $1 bodies that may wait. */
export const BACKLOGS = `
SELECT e.id, e.account_id AS "accountId", a.plan FROM webhook_backlogs b JOIN webhook_endpoints e ON e.id = b.endpoint_id
JOIN accounts a ON a.id = e.account_id WHERE b.bodies >= $1 AND e.status = 'Enabled'`;

/**
 * Counts the bodies that wait for endpoint $1, and returns a row if these are at least $2. Each row has at least one body, so at most $2 rows
 * of each kind are read.
 */
export const FULL_BACKLOG = `
WITH counted AS MATERIALIZED (
  SELECT COALESCE(sum(u.bodies), 0) AS bodies FROM webhook_endpoints e CROSS JOIN LATERAL (
    (SELECT o.bodies FROM webhook_outbox o WHERE o.endpoint_id = $1 AND o.order_key IS NULL AND o.id > e.counted_after LIMIT $2)
    UNION ALL
    (SELECT o.bodies FROM webhook_outbox o WHERE o.endpoint_id = $1 AND o.order_key IS NOT NULL AND o.id > e.counted_after
     LIMIT $2)) u
  WHERE e.id = $1),
kept AS (UPDATE webhook_backlogs b SET bodies = c.bodies FROM counted c WHERE b.endpoint_id = $1)
SELECT 1 FROM counted WHERE bodies >= $2::int`;

/**
 * Deletes rows of deleted endpoints, and old rows of disabled ones: $1 limit, $2 days. These are not due after they were written, so that the
 * index by the time when they are finds the old ones.
 */
export const DELETE_LEFTOVERS = `
WITH RECURSIVE ${WAITING},
over AS (
  SELECT w.endpoint_id, e.id IS NULL AS gone FROM waiting w LEFT JOIN webhook_endpoints e ON e.id = w.endpoint_id
  WHERE w.endpoint_id IS NOT NULL AND (e.id IS NULL OR e.status = 'Disabled'))
DELETE FROM webhook_outbox WHERE id = ANY(ARRAY(
  SELECT id FROM webhook_outbox WHERE id = ANY(ARRAY(
    SELECT o.id FROM over v CROSS JOIN LATERAL (
      SELECT id FROM webhook_outbox w WHERE w.endpoint_id = v.endpoint_id
        AND w.next_at < CASE WHEN v.gone THEN 'infinity' ELSE statement_timestamp() - $2 * interval '1 day' END
      ORDER BY w.next_at LIMIT $1) o LIMIT $1))
  ORDER BY id FOR UPDATE SKIP LOCKED))`;

export const ENDPOINT = `
SELECT e.id, e.account_id AS "accountId", e.url, e.events, e.max_events AS "maxEvents", e.status,
  e.disabled_reason AS "disabledReason", e.failing_since AS "failingSince", e.created_at AS "createdAt",
  CASE WHEN e.previous_until > statement_timestamp() THEN e.previous_until END AS "previousSecretValidUntil",
  r.since AS "replaySince", r.started_at AS "replayStartedAt", r.replayed
FROM webhook_endpoints e LEFT JOIN webhook_replays r ON r.endpoint_id = e.id`;

/** Before INSERT_ENDPOINT, so that concurrent requests do not exceed the limit together. */
export const LOCK_ACCOUNT = 'SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE';

/** $1 to $6 the endpoint and its secret, $7 limit per account. */
export const INSERT_ENDPOINT = `
INSERT INTO webhook_endpoints (id, account_id, url, events, max_events, status, secret_encrypted)
SELECT $1, $2, $3, $4, $5, 'Enabled', $6
WHERE (SELECT count(*) FROM webhook_endpoints WHERE account_id = $2) < $7::int`;

/** $1 account, $2 id; null fields are unchanged. */
export const CHANGE_ENDPOINT = `
UPDATE webhook_endpoints SET url = COALESCE($3, url), events = COALESCE($4::text[], events),
  max_events = COALESCE($5::smallint, max_events), status = COALESCE($6, status),
  disabled_reason = CASE COALESCE($6, 'as it is') WHEN 'Enabled' THEN NULL WHEN 'Disabled'
    THEN COALESCE(disabled_reason, 'disabled_by_client') ELSE disabled_reason END,
  counted_after = CASE WHEN $6 = 'Enabled' AND disabled_reason = 'backlog_full'
    THEN COALESCE((SELECT max(id) FROM webhook_outbox), 0) ELSE counted_after END,
  failing_since = CASE WHEN $6 = 'Enabled' AND status = 'Disabled' THEN NULL ELSE failing_since END,
  failures_in_row = CASE WHEN $6 = 'Enabled' AND status = 'Disabled' THEN 0 ELSE failures_in_row END,
  blocked_until = CASE WHEN $3::text IS NOT NULL OR $6 = 'Enabled' THEN NULL ELSE blocked_until END, next_due_at = '-infinity'
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

/** $1 endpoint, $2 last id read, $3 limit. The status is part of the text: failures have an index of their own. */
const deliveriesOf = (status?: DeliveryStatus): string => `
SELECT ${DELIVERY} FROM webhook_deliveries d
WHERE d.endpoint_id = $1 AND d.id < $2::uuid ${status ? `AND d.status = '${status}'` : ''} ORDER BY d.id DESC LIMIT $3`;
export const DELIVERIES = deliveriesOf();
export const DELIVERIES_WITH: Readonly<Record<DeliveryStatus, string>> = {
  Delivered: deliveriesOf('Delivered'),
  Retrying: deliveriesOf('Retrying'),
  Failed: deliveriesOf('Failed'),
};

/** $1 account, $2 id. */
export const DELIVERY_OF = `
SELECT ${DELIVERY} FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
WHERE d.id = $2 AND e.account_id = $1`;
