/** Accounts, their senders and API keys, console sessions and the audit log. */
export const ACCOUNTS = `
CREATE TABLE accounts (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  plan text NOT NULL,
  status text NOT NULL DEFAULT 'Active',
  sending_paused boolean NOT NULL DEFAULT false,
  default_country text,
  business_portfolio_id text,
  -- How long messages and the recipients of finished jobs are kept.
  retention_days integer NOT NULL DEFAULT 90,
  -- Inbound messages with exactly these texts opt the sender out or in; NULL: the service's defaults.
  opt_out_keywords text[],
  opt_in_keywords text[],
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);

-- The phone numbers of an account on the platform. Tokens and secrets are encrypted; NULL: those of the environment.
CREATE TABLE senders (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  -- The sender of requests that name none; an account with senders has one.
  is_default boolean NOT NULL DEFAULT true,
  -- Messages and jobs still refer to a deleted sender.
  deleted_at timestamptz,
  phone_number_id text NOT NULL,
  business_account_id text NOT NULL,
  display_phone_number text,
  -- NULL: that of the account.
  business_portfolio_id text,
  -- Limits configured by the operator or the environment, and limits reported by the platform; NULL: none.
  configured_messages_per_second integer,
  configured_messaging_tier text,
  platform_messages_per_second integer,
  platform_messaging_tier text,
  -- The limits in effect.
  messages_per_second integer NOT NULL
    GENERATED ALWAYS AS (COALESCE(configured_messages_per_second, platform_messages_per_second, 80)) STORED,
  messaging_tier text NOT NULL
    GENERATED ALWAYS AS (COALESCE(configured_messaging_tier, platform_messaging_tier, 'Unlimited')) STORED,
  -- Earlier names of the configured limits, kept equal by a trigger (configured-limits.sql.ts).
  own_messages_per_second integer,
  own_messaging_tier text,
  access_token_encrypted text,
  app_secret_encrypted text,
  templates_synced_at timestamptz,
  -- Marketing templates go through the platform's Marketing Messages API.
  marketing_messages_api boolean NOT NULL DEFAULT false,
  -- The last reading of the number from the platform, and the lease of the process that reads it. platform_problem: code, message, and a
  -- hash of the access token and app secret that were refused; NULL: none.
  limits_read_at timestamptz,
  limits_lease_until timestamptz NOT NULL DEFAULT '-infinity',
  platform_quality_rating text,
  platform_problem jsonb
);
-- SENDERS_OF_ACCOUNT, DEFAULT_SENDERS, OLDEST_SENDER (senders.sql.ts).
CREATE INDEX senders_by_account ON senders (account_id);
-- One default per account.
CREATE UNIQUE INDEX senders_default ON senders (account_id) WHERE is_default;
-- SENDERS_BY_NUMBER (senders.sql.ts); a deleted sender's number can be used again.
CREATE UNIQUE INDEX senders_by_phone_number ON senders (phone_number_id) WHERE deleted_at IS NULL;
-- REFUSED_SENDERS (senders.sql.ts): senders whose token the platform refused.
CREATE INDEX senders_refused ON senders (id) WHERE platform_problem IS NOT NULL;
-- SENDERS_BY_BUSINESS_ACCOUNT (senders.sql.ts): the senders that a report of the platform concerns.
CREATE INDEX senders_by_business_account ON senders (business_account_id);

-- When the platform last accepted a message and last reported a status, and since when it has accepted messages without
-- reporting any. A table of its own: it is written once a minute, and no send waits for its lock.
CREATE TABLE sender_traffic (
  sender_id uuid PRIMARY KEY REFERENCES senders (id) ON DELETE CASCADE,
  last_accepted_at timestamptz,
  last_webhook_at timestamptz,
  unreported_since timestamptz
);

CREATE TABLE api_keys (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  name text NOT NULL,
  prefix text NOT NULL UNIQUE,
  secret_hash bytea NOT NULL,
  scopes text[] NOT NULL,
  allowed_ips text[] NOT NULL DEFAULT '{}',
  -- The secret before the last rotation, valid until then.
  previous_prefix text,
  previous_secret_hash bytea,
  previous_valid_until timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
-- Lists the keys of an account, newest first.
CREATE INDEX api_keys_by_account ON api_keys (account_id, created_at DESC);
-- Finds the key of a request that still sends the previous secret.
CREATE UNIQUE INDEX api_keys_by_previous_prefix ON api_keys (previous_prefix) WHERE previous_prefix IS NOT NULL;

-- Sign-ins to the console: the hash of the token, never the token.
CREATE TABLE console_sessions (
  token_hash bytea PRIMARY KEY,
  key_id uuid NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
  key_prefix text NOT NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz NOT NULL
);
-- Deletes the oldest sessions of a key that has too many.
CREATE INDEX console_sessions_key ON console_sessions (key_id, last_used_at);
-- Deletes expired sessions.
CREATE INDEX console_sessions_last_used ON console_sessions (last_used_at);

-- Who did what with keys, accounts, senders and erasures.
CREATE TABLE audit_log (
  id uuid PRIMARY KEY,
  -- The account concerned; actor_account_id is the account of the key that was used.
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  actor_account_id uuid NOT NULL,
  -- NULL: done by the service itself, as at its first start.
  key_prefix text,
  -- At that time: the key may be deleted or get another name.
  key_name text,
  address text,
  action text NOT NULL,
  target_id uuid,
  fields text[] NOT NULL,
  created_at timestamptz NOT NULL
);
-- Lists the entries of an account.
CREATE INDEX audit_log_by_account ON audit_log (account_id, created_at DESC, id DESC);
-- Lists the entries of all accounts; deletes expired ones.
CREATE INDEX audit_log_by_time ON audit_log (created_at DESC, id DESC);
`;
