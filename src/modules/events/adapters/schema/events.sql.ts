/** Webhook endpoints of clients, events waiting for delivery, replays, and the log of deliveries. */
export const EVENTS = `
CREATE TABLE webhook_endpoints (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  url text NOT NULL,
  events text[] NOT NULL,
  -- Maximum number of events per body.
  max_events smallint NOT NULL,
  status text NOT NULL CHECK (status IN ('Enabled', 'Disabled')),
  disabled_reason text,
  secret_encrypted text NOT NULL,
  previous_secret_encrypted text,
  previous_until timestamptz,
  -- Since when every delivery has failed, the number of consecutive failures, and until when none is attempted.
  failing_since timestamptz,
  failures_in_row smallint NOT NULL DEFAULT 0,
  blocked_until timestamptz,
  -- Rows up to this id waited when the endpoint was enabled after a full backlog: they no longer count.
  counted_after bigint NOT NULL DEFAULT 0,
  -- The process that delivers to it.
  lease_owner uuid,
  lease_until timestamptz NOT NULL DEFAULT '-infinity',
  -- When processes look for due rows again; written rows set it (webhook_endpoints_wake).
  next_due_at timestamptz NOT NULL DEFAULT '-infinity',
  created_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50);
-- Lists and counts the endpoints of an account; webhook_outbox_write: those that chose an event.
CREATE INDEX webhook_endpoints_by_account ON webhook_endpoints (account_id, created_at DESC, id DESC);
-- LEASE (webhooks.sql.ts): the endpoints to look at.
CREATE INDEX webhook_endpoints_due ON webhook_endpoints (next_due_at) WHERE status = 'Enabled' AND next_due_at < 'infinity';

-- One row for each commit and endpoint. No foreign key: a million rows of a deleted endpoint are deleted in batches.
CREATE TABLE webhook_outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  endpoint_id uuid NOT NULL,
  -- Rows with the same value are delivered in order of their ids.
  order_key uuid,
  -- The row whose body this one repeats; determines its place among the rows with the same order key; NULL: not a replay.
  replay_of bigint,
  -- Bodies, one per line; body n has the webhook-id msg_<key>_<first_body + n>.
  key uuid NOT NULL DEFAULT gen_random_uuid(),
  first_body integer NOT NULL DEFAULT 0,
  bodies integer NOT NULL,
  payload text,
  -- What triggers recorded of a job event; its only body is built on delivery (recorded-job-event.ts). NULL: see payload.
  job_event jsonb,
  -- Lines still to be delivered; NULL: all.
  remaining integer[],
  -- The trace of what caused the events (header traceparent). NULL: that of the request of their message or job (event-traces.ts).
  traceparent text,
  attempt smallint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  next_at timestamptz NOT NULL DEFAULT clock_timestamp()
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
-- Not every build of PostgreSQL has lz4.
DO $$ BEGIN
  ALTER TABLE webhook_outbox ALTER COLUMN payload SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN NULL;
END $$;
-- LEASE (webhooks.sql.ts): the first due row of an endpoint; FIND_OVERLOOKED: the endpoints with rows.
CREATE INDEX webhook_outbox_due ON webhook_outbox (endpoint_id, next_at, id);
-- DUE (webhooks.sql.ts): the first row of each order key.
CREATE INDEX webhook_outbox_in_order ON webhook_outbox (endpoint_id, order_key, (COALESCE(replay_of, id)))
  WHERE order_key IS NOT NULL;
-- DUE (webhooks.sql.ts): rows without an order.
CREATE INDEX webhook_outbox_unordered ON webhook_outbox (endpoint_id, next_at, id) INCLUDE (bodies) WHERE order_key IS NULL;
-- STEP_REPLAY (webhook-replays.sql.ts): the number of waiting replayed rows.
CREATE INDEX webhook_outbox_due_replays ON webhook_outbox (endpoint_id, next_at) WHERE replay_of IS NOT NULL;
-- REPLAY and STEP_REPLAY (webhook-replays.sql.ts): no body waits twice.
CREATE UNIQUE INDEX webhook_outbox_replayed ON webhook_outbox (endpoint_id, key, first_body) WHERE replay_of IS NOT NULL;

-- The running replay of an endpoint. The log is walked twice: first for rows with an order key, then for the others.
CREATE TABLE webhook_replays (
  endpoint_id uuid PRIMARY KEY REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
  since timestamptz NOT NULL,
  started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  per_second integer NOT NULL,
  in_order boolean NOT NULL DEFAULT true,
  -- The walk: where it starts, the last attempt passed, the last one of all, and when it started; NULL: not yet.
  first_id uuid NOT NULL,
  after_id uuid NOT NULL,
  last_id uuid,
  walked_from timestamptz,
  stepped_at timestamptz NOT NULL DEFAULT '-infinity',
  replayed integer NOT NULL DEFAULT 0
);

-- Attempts and their bodies, in daily partitions (UTC) by the time in the id.
CREATE TABLE webhook_deliveries (
  id uuid PRIMARY KEY,
  endpoint_id uuid NOT NULL,
  -- The attempted row: its key and body, its order key, its place in that order, and whether it was a replay.
  key uuid NOT NULL,
  body integer NOT NULL,
  order_key uuid,
  row_id bigint,
  replayed boolean,
  events text[] NOT NULL,
  attempt smallint NOT NULL,
  status text NOT NULL,
  http_status smallint,
  error text,
  duration_ms integer NOT NULL,
  at timestamptz NOT NULL,
  -- at by the clock of the database.
  logged_at timestamptz,
  next_attempt_at timestamptz
) PARTITION BY RANGE (id);
-- DELIVERIES (webhooks.sql.ts), STEP_REPLAY (webhook-replays.sql.ts): the log of an endpoint.
CREATE INDEX webhook_deliveries_by_endpoint ON webhook_deliveries (endpoint_id, id DESC);
CREATE TABLE webhook_bodies (
  id uuid PRIMARY KEY,
  body text NOT NULL
) PARTITION BY RANGE (id);
-- The numbers and user ids in a body. Its quotes are those of the fields: quotes in the words of a person are escaped. The cost keeps plans from
-- calling it for every row of the table.
CREATE FUNCTION webhook_body_people(body text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 10000 AS $$
BEGIN
  RETURN ARRAY(SELECT split_part(rest, '"', 1)
    FROM unnest((string_to_array(body, '"phone":"'))[2:] || (string_to_array(body, '"userId":"'))[2:]) rest);
END $$;
-- LOGGED_BODIES (event-erasure.sql.ts): the bodies that name a person.
CREATE INDEX webhook_bodies_by_person ON webhook_bodies USING gin (webhook_body_people(body));
`;
