/** Platform reports that were not applied, and webhook subscriptions. */
export const PLATFORM_WEBHOOK = `
-- Reports that could not be applied, as received, for manual inspection.
CREATE TABLE parked_updates (
  id uuid PRIMARY KEY,
  reason text NOT NULL,
  body text NOT NULL,
  received_at timestamptz NOT NULL
);
-- Deletes expired ones.
CREATE INDEX parked_updates_by_age ON parked_updates (received_at);

-- Notices that the service does not use, for manual inspection. The id is derived from the body.
CREATE TABLE platform_events (
  id uuid PRIMARY KEY,
  kind text NOT NULL,
  business_account_id text NOT NULL,
  body text NOT NULL,
  received_at timestamptz NOT NULL
);
-- Deletes expired ones.
CREATE INDEX platform_events_by_age ON platform_events (received_at);

-- The addresses that this database subscribed on the platform: a copy of the database must not take them over from the
-- original.
CREATE TABLE webhook_subscriptions (
  business_account_id text PRIMARY KEY,
  callback_url text NOT NULL,
  recorded_at timestamptz NOT NULL
);

-- The last check of each business account's subscription, which the processes share: whether the platform reports to callback_url (own), or
-- only to others (left); NULL: not checked yet.
CREATE TABLE webhook_subscription_checks (
  subject text PRIMARY KEY,
  callback_url text NOT NULL,
  state text,
  checked_at timestamptz NOT NULL DEFAULT '-infinity',
  lease_until timestamptz NOT NULL
);
`;
