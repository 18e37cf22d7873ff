import { STEP_INTERVAL } from './webhooks.sql';

/** Maximum number of waiting replayed bodies of an endpoint; its walk continues below this. */
const MAX_WAITING = 5000;

/**
 * Queues the body of attempt $1 again, in its place in the order of its job, unless it is already waiting. Returns a row if the body is
 * still kept.
 */
export const REPLAY = `
WITH kept AS (
  SELECT d.endpoint_id, d.order_key, d.key, d.body, d.row_id, b.body AS payload
  FROM webhook_deliveries d JOIN webhook_bodies b ON b.id = d.id WHERE d.id = $1),
added AS (
  INSERT INTO webhook_outbox (endpoint_id, order_key, key, first_body, bodies, payload, replay_of)
  SELECT k.endpoint_id, k.order_key, k.key, k.body, 1, k.payload, COALESCE(k.row_id, 0) FROM kept k
  WHERE NOT EXISTS (
    SELECT 1 FROM webhook_outbox o WHERE o.id = k.row_id AND o.endpoint_id = k.endpoint_id
      AND (o.remaining IS NULL OR k.body - o.first_body = ANY (o.remaining)))
  ON CONFLICT DO NOTHING),
woken AS (UPDATE webhook_endpoints e SET next_due_at = '-infinity' FROM kept k WHERE e.id = k.endpoint_id)
SELECT 1 FROM kept`;

/** $1 endpoint, $2 since, $3 an id before every attempt since then, $4 bodies per second. Returns no row if a replay is running. */
export const START_REPLAY = `
INSERT INTO webhook_replays (endpoint_id, since, first_id, after_id, per_second) VALUES ($1, $2, $3, $3, $4)
ON CONFLICT DO NOTHING RETURNING since, started_at AS "startedAt", replayed`;

/**
 * The next step of the walk of endpoint $1, which reads at most $2 attempts: adds rows for the bodies found, for each the attempt that was
 * first delivered or finally failed, and advances or ends the replay. Returns a row if it took a step. Adds at most the bodies of one
 * second of the rate, and none while as many are due.
 */
export const STEP_REPLAY = `
WITH replay AS MATERIALIZED (
  SELECT r.*, COALESCE(r.walked_from, statement_timestamp()) AS until, COALESCE(r.last_id,
    (SELECT d.id FROM webhook_deliveries d WHERE d.endpoint_id = $1 ORDER BY d.id DESC LIMIT 1), r.first_id) AS last
  FROM webhook_replays r WHERE r.endpoint_id = $1 AND r.stepped_at <= statement_timestamp() - ${STEP_INTERVAL}
    AND (SELECT count(*) FROM (SELECT 1 FROM webhook_outbox o WHERE o.endpoint_id = $1 AND o.replay_of IS NOT NULL
      AND o.next_at <= statement_timestamp() LIMIT r.per_second) w) < r.per_second
    AND (SELECT count(*) FROM (SELECT 1 FROM webhook_outbox o WHERE o.endpoint_id = $1 AND o.replay_of IS NOT NULL
      LIMIT ${MAX_WAITING}) w) < ${MAX_WAITING}
  ORDER BY r.endpoint_id FOR UPDATE OF r),
looked AS MATERIALIZED (
  SELECT d.id, d.key, d.body, d.order_key, d.row_id, d.status <> 'Retrying' AND d.attempt > 0 AND d.replayed IS NOT TRUE
    AND COALESCE(d.logged_at, d.at) BETWEEN r.since AND r.until AND (d.order_key IS NOT NULL) = r.in_order AS fits
  FROM replay r CROSS JOIN LATERAL (
    SELECT * FROM webhook_deliveries a WHERE a.endpoint_id = $1 AND a.id > r.after_id AND a.id <= r.last ORDER BY a.id LIMIT $2) d),
taken AS MATERIALIZED (
  SELECT * FROM looked WHERE fits ORDER BY id LIMIT (SELECT per_second FROM replay)),
added AS (
  INSERT INTO webhook_outbox (endpoint_id, order_key, key, first_body, bodies, payload, replay_of)
  SELECT $1, t.order_key, t.key, t.body, 1, b.body, COALESCE(t.row_id, 0) FROM taken t JOIN webhook_bodies b ON b.id = t.id
  ORDER BY t.id ON CONFLICT DO NOTHING RETURNING 1),
step AS (
  SELECT r.endpoint_id, r.until, r.last, r.first_id, r.in_order, (SELECT count(*)::int FROM added) AS added,
    p.is_full OR (SELECT count(*) FROM looked) = $2 AS goes_on,
    CASE WHEN p.is_full THEN (SELECT t.id FROM taken t ORDER BY t.id DESC LIMIT 1)
      ELSE (SELECT l.id FROM looked l ORDER BY l.id DESC LIMIT 1) END AS reached
  FROM replay r, LATERAL (SELECT (SELECT count(*) FROM taken) = r.per_second AS is_full) p),
ended AS (
  DELETE FROM webhook_replays r USING step s WHERE r.endpoint_id = s.endpoint_id AND NOT s.goes_on AND NOT s.in_order),
moved AS (
  UPDATE webhook_replays r SET walked_from = s.until, last_id = s.last, replayed = r.replayed + s.added,
    in_order = s.in_order AND s.goes_on, after_id = CASE WHEN s.goes_on THEN s.reached ELSE s.first_id END,
    stepped_at = CASE WHEN s.goes_on THEN clock_timestamp() ELSE '-infinity' END
  FROM step s WHERE r.endpoint_id = s.endpoint_id AND (s.goes_on OR s.in_order))
SELECT 1 FROM step`;
