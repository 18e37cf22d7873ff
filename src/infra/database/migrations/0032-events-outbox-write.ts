import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Events are written by the statement that changes something, or by one behind it in the same transaction: one row for each endpoint that
 * chose any of them. In PL/pgSQL, whose plans are kept: bulk sends write events many times a second.
 */
export class EventsOutboxWrite1790000000032 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
-- Whether anybody wants one of these types: whoever has to build texts asks first.
CREATE FUNCTION webhook_subscribed(account uuid, types text[]) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN EXISTS (
    SELECT 1 FROM webhook_endpoints e WHERE e.account_id = $1 AND e.status = 'Enabled' AND e.events && $2);
END $$;

-- Event n has type types[n] and the text events[n], which is JSON without a line break. Which events share a body is fixed here.
CREATE FUNCTION webhook_outbox_write(account uuid, types text[], events text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO webhook_outbox (endpoint_id, bodies, payload)
  SELECT b.id, count(*), string_agg(b.body, E'\\n' ORDER BY b.chunk)
  FROM (
    SELECT c.id, c.chunk, CASE WHEN c.max_events = 1 THEN min(c.event)
      ELSE '{"events":[' || string_agg(c.event, ',' ORDER BY c.n) || ']}' END AS body
    FROM (
      SELECT e.id, e.max_events, u.n, u.event, (row_number() OVER (PARTITION BY e.id ORDER BY u.n) - 1) / e.max_events AS chunk
      FROM webhook_endpoints e JOIN unnest($2, $3) WITH ORDINALITY AS u (type, event, n) ON u.type = ANY (e.events)
      WHERE e.account_id = $1 AND e.status = 'Enabled') c
    GROUP BY c.id, c.max_events, c.chunk) b
  GROUP BY b.id;
END $$;`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only go forward: to go back, restore a backup.'));
  }
}
