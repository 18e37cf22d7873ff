/**
 * Writes events to the outbox of each endpoint that chose them, in the transaction of the change. In PL/pgSQL, whose plans are cached:
 * bulk sends write events many times a second.
 */
export const WRITE_EVENTS = `
-- Whether any endpoint chose one of these types: checked before texts are built.
CREATE FUNCTION webhook_subscribed(account uuid, types text[]) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN EXISTS (
    SELECT 1 FROM webhook_endpoints e WHERE e.account_id = $1 AND e.status = 'Enabled' AND e.events && $2);
END $$;

-- Event n has type types[n] and the text events[n], which is JSON without a line break. Which events share a body is fixed here.
-- Endpoints with one event in a body, which are most, need no groups: that halves the time.
CREATE FUNCTION webhook_outbox_write(account uuid, types text[], events text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO webhook_outbox (endpoint_id, bodies, payload)
  SELECT e.id, b.bodies, b.payload
  FROM webhook_endpoints e CROSS JOIN LATERAL (
    SELECT count(*) AS bodies, string_agg(u.event, E'\\n' ORDER BY u.n) AS payload
    FROM unnest($2, $3) WITH ORDINALITY AS u (type, event, n) WHERE u.type = ANY (e.events)) b
  WHERE e.account_id = $1 AND e.status = 'Enabled' AND e.max_events = 1 AND b.bodies > 0;

  INSERT INTO webhook_outbox (endpoint_id, bodies, payload)
  SELECT b.id, count(*), string_agg(b.body, E'\\n' ORDER BY b.chunk)
  FROM (
    SELECT c.id, c.chunk, '{"events":[' || string_agg(c.event, ',' ORDER BY c.n) || ']}' AS body
    FROM (
      SELECT e.id, u.n, u.event, (row_number() OVER (PARTITION BY e.id ORDER BY u.n) - 1) / e.max_events AS chunk
      FROM webhook_endpoints e JOIN unnest($2, $3) WITH ORDINALITY AS u (type, event, n) ON u.type = ANY (e.events)
      WHERE e.account_id = $1 AND e.status = 'Enabled' AND e.max_events > 1) c
    GROUP BY c.id, c.chunk) b
  GROUP BY b.id;
END $$;

-- For triggers of other tables: writes one event, ordered among those with the same key.
CREATE FUNCTION webhook_outbox_add(account uuid, type text, ordered_by uuid, data json) RETURNS void LANGUAGE sql AS $$
INSERT INTO webhook_outbox (endpoint_id, order_key, bodies, payload)
SELECT e.id, $3, 1, CASE WHEN e.max_events = 1 THEN v.event ELSE '{"events":[' || v.event || ']}' END
FROM webhook_endpoints e CROSS JOIN LATERAL (SELECT json_build_object('type', $2,
  'timestamp', to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'data', $4)::text AS event) v
WHERE e.account_id = $1 AND e.status = 'Enabled' AND $2 = ANY (e.events)
$$;
`;
