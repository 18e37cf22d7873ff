/** Reports of the platform that were not applied, and where it reports to. */
export const PLATFORM_WEBHOOK = `
-- Reports that could not be applied, as received, for inspection by a person.
CREATE TABLE parked_updates (
  id uuid PRIMARY KEY,
  reason text NOT NULL,
  body text NOT NULL,
  received_at timestamptz NOT NULL
);
-- Deletes expired ones.
CREATE INDEX parked_updates_by_age ON parked_updates (received_at);

-- Notices that the service does not act upon, for inspection by a person. The id is derived from the body.
CREATE TABLE platform_events (
  id uuid PRIMARY KEY,
  kind text NOT NULL,
  business_account_id text NOT NULL,
  body text NOT NULL,
  received_at timestamptz NOT NULL
);
-- Deletes expired ones.
CREATE INDEX platform_events_by_age ON platform_events (received_at);

-- The address to which this database had the platform report: a copy of the database must not take it over from the original.
CREATE TABLE webhook_subscriptions (
  business_account_id text PRIMARY KEY,
  callback_url text NOT NULL,
  recorded_at timestamptz NOT NULL
);
`;
