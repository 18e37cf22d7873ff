/** Reports of the platform that were not applied. */
export const PLATFORM_WEBHOOK = `
-- Reports of the platform that could not be applied, as received, for inspection by a person.
CREATE TABLE parked_updates (
  id uuid PRIMARY KEY,
  reason text NOT NULL,
  body text NOT NULL,
  received_at timestamptz NOT NULL
);
CREATE INDEX parked_updates_by_age ON parked_updates (received_at);

-- Notices of the platform that the service does not act upon, for inspection by a person. The id is derived from the body.
CREATE TABLE platform_events (
  id uuid PRIMARY KEY,
  kind text NOT NULL,
  business_account_id text NOT NULL,
  body text NOT NULL,
  received_at timestamptz NOT NULL
);
CREATE INDEX platform_events_by_age ON platform_events (received_at);
`;
