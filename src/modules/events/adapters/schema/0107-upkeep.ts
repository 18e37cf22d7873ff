import type { Migration } from '../../../../infra/database/migrations';

/** The upkeep of waiting events by one process at a time, and the bodies written for each endpoint, so that none is counted every minute. */
export const EVENTS_UPKEEP: Migration = {
  name: '0107-events-upkeep',
  statements: [
    `
CREATE TABLE webhook_upkeep (
  -- When the next process takes it.
  due_at timestamptz NOT NULL DEFAULT '-infinity',
  -- The last row of webhook_outbox that is part of webhook_backlogs.
  counted_to bigint NOT NULL DEFAULT 0
)`,
    'INSERT INTO webhook_upkeep DEFAULT VALUES',
    `
CREATE TABLE webhook_backlogs (
  endpoint_id uuid PRIMARY KEY REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
  -- Those that waited at the last full count, and those that waited a minute after they were written: at least those that wait now.
  bodies bigint NOT NULL
)`,
  ],
};
