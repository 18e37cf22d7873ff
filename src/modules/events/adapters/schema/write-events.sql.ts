/**
 * Writes events to the outbox of each subscribed endpoint, in the transaction of the change. In PL/pgSQL, whose plans are cached, as bulk
 * sends write events many times a second.
 */
export const WRITE_EVENTS = `
-- Whether any endpoint subscribed to one of these types; checked before events are built.
CREATE FUNCTION webhook_subscribed(account uuid, types text[]) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN EXISTS (
    SELECT 1 FROM webhook_endpoints e WHERE e.account_id = $1 AND e.status = 'Enabled' AND e.events && $2);
END $$;

-- Lets processes look at the endpoints now. Not at leased ones, which their process looks at, or at blocked ones. Waits for no lock:
-- FIND_OVERLOOKED (webhooks.sql.ts) finds what remains.
CREATE FUNCTION webhook_endpoints_wake(account uuid, types text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE webhook_endpoints SET next_due_at = '-infinity' WHERE id = ANY(ARRAY(
    SELECT e.id FROM webhook_endpoints e WHERE e.account_id = $1 AND e.status = 'Enabled' AND e.events && $2
      AND e.next_due_at > statement_timestamp() AND e.lease_until < statement_timestamp()
      AND COALESCE(e.blocked_until <= statement_timestamp(), true)
    FOR NO KEY UPDATE SKIP LOCKED));
END $$;

-- Event n has type types[n] and the text events[n], which is JSON without a line break. This fixes which events share a body.
-- Most endpoints have one event per body and need no grouping, which halves the time.
CREATE FUNCTION webhook_outbox_write(account uuid, types text[], events text[], trace text DEFAULT NULL) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO webhook_outbox (endpoint_id, bodies, payload, traceparent)
  SELECT e.id, b.bodies, b.payload, $4
  FROM webhook_endpoints e CROSS JOIN LATERAL (
    SELECT count(*) AS bodies, string_agg(u.event, E'\\n' ORDER BY u.n) AS payload
    FROM unnest($2, $3) WITH ORDINALITY AS u (type, event, n) WHERE u.type = ANY (e.events)) b
  WHERE e.account_id = $1 AND e.status = 'Enabled' AND e.max_events = 1 AND b.bodies > 0;

  INSERT INTO webhook_outbox (endpoint_id, bodies, payload, traceparent)
  SELECT b.id, count(*), string_agg(b.body, E'\\n' ORDER BY b.chunk), $4
  FROM (
    SELECT c.id, c.chunk, '{"events":[' || string_agg(c.event, ',' ORDER BY c.n) || ']}' AS body
    FROM (
      SELECT e.id, u.n, u.event, (row_number() OVER (PARTITION BY e.id ORDER BY u.n) - 1) / e.max_events AS chunk
      FROM webhook_endpoints e JOIN unnest($2, $3) WITH ORDINALITY AS u (type, event, n) ON u.type = ANY (e.events)
      WHERE e.account_id = $1 AND e.status = 'Enabled' AND e.max_events > 1) c
    GROUP BY c.id, c.chunk) b
  GROUP BY b.id;

  PERFORM webhook_endpoints_wake($1, $2);
END $$;

-- For triggers of bulk_jobs and sender_lanes: adds an event as recorded, ordered among those with the same key.
CREATE FUNCTION webhook_outbox_add(account uuid, type text, ordered_by uuid, recorded jsonb) RETURNS void LANGUAGE sql AS $$
INSERT INTO webhook_outbox (endpoint_id, order_key, bodies, job_event)
SELECT e.id, $3, 1, $4 || jsonb_build_object('in_list', e.max_events > 1)
FROM webhook_endpoints e WHERE e.account_id = $1 AND e.status = 'Enabled' AND $2 = ANY (e.events);
SELECT webhook_endpoints_wake($1, ARRAY[$2])
$$;
`;
