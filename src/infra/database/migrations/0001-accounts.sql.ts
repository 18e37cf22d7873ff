/** Accounts, their senders and their API keys. */
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

-- One phone number of an account on the platform. Tokens and secrets are encrypted; NULL means the environment's.
CREATE TABLE senders (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL UNIQUE REFERENCES accounts (id) ON DELETE CASCADE,
  phone_number_id text NOT NULL UNIQUE,
  business_account_id text NOT NULL,
  display_phone_number text,
  -- Limits configured by the operator or the environment, and limits that the platform reports; NULL: none.
  own_messages_per_second integer,
  own_messaging_tier text,
  platform_messages_per_second integer,
  platform_messaging_tier text,
  -- The limits in effect.
  messages_per_second integer NOT NULL
    GENERATED ALWAYS AS (COALESCE(own_messages_per_second, platform_messages_per_second, 80)) STORED,
  messaging_tier text NOT NULL
    GENERATED ALWAYS AS (COALESCE(own_messaging_tier, platform_messaging_tier, 'Unlimited')) STORED,
  access_token_encrypted text,
  app_secret_encrypted text,
  templates_synced_at timestamptz
);

CREATE TABLE api_keys (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  name text NOT NULL,
  prefix text NOT NULL UNIQUE,
  secret_hash bytea NOT NULL,
  scopes text[] NOT NULL,
  allowed_ips text[] NOT NULL DEFAULT '{}',
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX api_keys_by_account ON api_keys (account_id, created_at DESC);
`;
