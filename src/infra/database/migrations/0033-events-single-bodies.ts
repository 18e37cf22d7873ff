import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Bodies of one event each, which is what most endpoints get, need no groups: half of the time of webhook_outbox_write. */
export class EventsSingleBodies1790000000033 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE OR REPLACE FUNCTION webhook_outbox_write(account uuid, types text[], events text[]) RETURNS void LANGUAGE plpgsql AS $$
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
END $$;`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only go forward: to go back, restore a backup.'));
  }
}
