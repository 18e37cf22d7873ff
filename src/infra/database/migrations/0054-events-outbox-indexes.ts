import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEXES = {
  // The first row of each order key.
  webhook_outbox_in_order: `(endpoint_id, order_key, (COALESCE(replay_of, id))) WHERE order_key IS NOT NULL`,
  webhook_outbox_unordered: `(endpoint_id, next_at, id) INCLUDE (bodies) WHERE order_key IS NULL`,
  webhook_outbox_due_replays: `(endpoint_id, next_at) WHERE replay_of IS NOT NULL`,
};

/** Indexes for events without an order, the first event of each order key, and replays. Built while events are written. */
export class EventsOutboxIndexes1790000000054 implements MigrationInterface {
  // CREATE INDEX CONCURRENTLY cannot run in a transaction.
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // An interrupted build leaves an invalid index.
    for (const [name, definition] of Object.entries(INDEXES)) {
      await runner.query(`DROP INDEX IF EXISTS ${name}`);
      await runner.query(`CREATE INDEX CONCURRENTLY ${name} ON webhook_outbox ${definition}`);
    }
    await runner.query(`DROP INDEX IF EXISTS webhook_outbox_replayed`);
    await runner.query(`CREATE UNIQUE INDEX CONCURRENTLY webhook_outbox_replayed ON webhook_outbox (endpoint_id, key, first_body)
      WHERE replay_of IS NOT NULL`);
    await runner.query(`DROP INDEX IF EXISTS webhook_outbox_ordered`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only go forward: to go back, restore a backup.'));
  }
}
