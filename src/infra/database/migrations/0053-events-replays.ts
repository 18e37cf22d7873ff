import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A replay is a position in the log that the workers move, and its rows keep their place in the order of their job. Attempts that were
 * logged before have no order key: they are replayed as events without an order.
 */
export class EventsReplays1790000000053 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
-- The row that this one repeats a body of, which is its place among the rows with the same order key; null: not a replay.
ALTER TABLE webhook_outbox ADD COLUMN replay_of bigint;

-- Of the row that was attempted: its order key, its place in that order, and whether it was a replay. logged_at is the database's time.
ALTER TABLE webhook_deliveries ADD COLUMN order_key uuid, ADD COLUMN row_id bigint, ADD COLUMN replayed boolean,
  ADD COLUMN logged_at timestamptz;

-- The replay that an endpoint waits for. The log is walked twice: first for rows with an order key, then for the others.
CREATE TABLE webhook_replays (
  endpoint_id uuid PRIMARY KEY REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
  since timestamptz NOT NULL,
  started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  per_second integer NOT NULL,
  in_order boolean NOT NULL DEFAULT true,
  -- The walk: where it begins, the last attempt that it has passed, the last one of all, and when it began; null: it has not.
  first_id uuid NOT NULL,
  after_id uuid NOT NULL,
  last_id uuid,
  walked_from timestamptz,
  stepped_at timestamptz NOT NULL DEFAULT '-infinity',
  replayed integer NOT NULL DEFAULT 0
);`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only go forward: to go back, restore a backup.'));
  }
}
