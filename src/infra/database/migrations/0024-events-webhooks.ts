import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Endpoints of clients, what is to be delivered to them, and the log of deliveries. */
export class EventsWebhooks1790000000024 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE TABLE webhook_endpoints (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  url text NOT NULL,
  events text[] NOT NULL,
  -- Events in one body, at most.
  max_events smallint NOT NULL,
  status text NOT NULL CHECK (status IN ('Enabled', 'Disabled')),
  disabled_reason text,
  secret_encrypted text NOT NULL,
  previous_secret_encrypted text,
  previous_until timestamptz,
  -- Since when nothing has arrived, how many deliveries in a row have failed, and until when none is tried.
  failing_since timestamptz,
  failures_in_row smallint NOT NULL DEFAULT 0,
  blocked_until timestamptz,
  -- The process that delivers to it.
  lease_owner uuid,
  lease_until timestamptz NOT NULL DEFAULT '-infinity',
  created_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50);
CREATE INDEX webhook_endpoints_by_account ON webhook_endpoints (account_id, created_at DESC, id DESC);

-- One row for each commit and endpoint. No foreign key: a million rows of a deleted endpoint are deleted in batches.
CREATE TABLE webhook_outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  endpoint_id uuid NOT NULL,
  -- Rows with the same value are delivered in order of their ids.
  order_key uuid,
  -- Bodies, one in each line; body n has the webhook-id msg_<key>_<first_body + n>.
  key uuid NOT NULL DEFAULT gen_random_uuid(),
  first_body integer NOT NULL DEFAULT 0,
  bodies integer NOT NULL,
  payload text NOT NULL,
  -- Lines that are still to be delivered; null: all.
  remaining integer[],
  attempt smallint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  next_at timestamptz NOT NULL DEFAULT clock_timestamp()
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
CREATE INDEX webhook_outbox_due ON webhook_outbox (endpoint_id, next_at, id);
CREATE INDEX webhook_outbox_ordered ON webhook_outbox (endpoint_id, order_key, id) WHERE order_key IS NOT NULL;
DO $$ BEGIN
  ALTER TABLE webhook_outbox ALTER COLUMN payload SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN NULL;
END $$;

-- Attempts, and the bodies that they sent: partitions of one day (UTC), by the time in the id.
CREATE TABLE webhook_deliveries (
  id uuid PRIMARY KEY,
  endpoint_id uuid NOT NULL,
  key uuid NOT NULL,
  body integer NOT NULL,
  events text[] NOT NULL,
  attempt smallint NOT NULL,
  status text NOT NULL,
  http_status smallint,
  error text,
  duration_ms integer NOT NULL,
  at timestamptz NOT NULL,
  next_attempt_at timestamptz
) PARTITION BY RANGE (id);
CREATE INDEX webhook_deliveries_by_endpoint ON webhook_deliveries (endpoint_id, id DESC);
CREATE TABLE webhook_bodies (
  id uuid PRIMARY KEY,
  body text NOT NULL
) PARTITION BY RANGE (id);

-- For triggers of other tables: hands one event to the endpoints of the account that chose it.
CREATE FUNCTION webhook_outbox_add(account uuid, type text, ordered_by uuid, data json) RETURNS void LANGUAGE sql AS $$
INSERT INTO webhook_outbox (endpoint_id, order_key, bodies, payload)
SELECT e.id, $3, 1, CASE WHEN e.max_events = 1 THEN v.event ELSE '{"events":[' || v.event || ']}' END
FROM webhook_endpoints e CROSS JOIN LATERAL (SELECT json_build_object('type', $2,
  'timestamp', to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'data', $4)::text AS event) v
WHERE e.account_id = $1 AND e.status = 'Enabled' AND $2 = ANY (e.events)
$$;`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only go forward: to go back, restore a backup.'));
  }
}
