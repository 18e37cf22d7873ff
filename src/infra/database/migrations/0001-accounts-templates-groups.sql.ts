/** Accounts, keys, templates, contacts and groups: small tables, read by id or by a unique name. */
export const ACCOUNTS_TEMPLATES_GROUPS = `
CREATE TABLE accounts (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  plan text NOT NULL,
  status text NOT NULL DEFAULT 'Active',
  sending_paused boolean NOT NULL DEFAULT false,
  default_country text,
  business_portfolio_id text,
  -- How long the history of messages and the recipients of finished jobs are kept.
  retention_days integer NOT NULL DEFAULT 90,
  -- Whole texts of inbound messages that opt out or in; NULL: those of the service.
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
  -- What the operator or the environment set, and what the platform says of the number; NULL: nothing.
  own_messages_per_second integer,
  own_messaging_tier text,
  platform_messages_per_second integer,
  platform_messaging_tier text,
  -- What holds of the two.
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

CREATE TABLE templates (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  platform_template_id text,
  name text NOT NULL,
  language_code text NOT NULL,
  category text NOT NULL,
  status text NOT NULL,
  quality_rating text,
  rejection_reason text,
  parameter_format text NOT NULL,
  -- Up to when the platform's reports are known: an older one says nothing new of the status.
  status_at timestamptz NOT NULL DEFAULT now(),
  -- When the status last changed here, by the clock that also says when a job was paused.
  status_changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- The contents that a send made now would use; never changed in place, see template_revisions.
  revision_id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  last_synced_at timestamptz,
  UNIQUE (account_id, name, language_code)
);

-- The contents of a template at one time. Jobs and messages name the revision they were made with, so a later
-- edit changes neither what a running job sends nor what the history shows.
CREATE TABLE template_revisions (
  id uuid PRIMARY KEY,
  template_id uuid NOT NULL REFERENCES templates (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  components jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX template_revisions_by_template ON template_revisions (template_id, created_at DESC);

-- Who syncs the templates of an account at the moment; a row whose lease is over holds nobody up.
CREATE TABLE template_syncs (
  account_id uuid PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  owner uuid NOT NULL,
  lease_until timestamptz NOT NULL
);

-- A person is known by a phone number, by the platform's user id, or by both. phone_key is what all forms of the number
-- have in common.
CREATE TABLE contacts (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  phone text,
  phone_key text,
  user_id text,
  name text,
  parameters jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((phone IS NULL) = (phone_key IS NULL) AND (phone IS NOT NULL OR user_id IS NOT NULL))
);
CREATE UNIQUE INDEX contacts_by_phone ON contacts (account_id, phone_key);
CREATE UNIQUE INDEX contacts_by_user_id ON contacts (account_id, user_id) WHERE user_id IS NOT NULL;
CREATE INDEX contacts_by_account ON contacts (account_id, id);

CREATE TABLE contact_groups (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  name text NOT NULL,
  description text,
  contact_count integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX contact_groups_by_name ON contact_groups (account_id, lower(name));

CREATE TABLE contact_group_members (
  group_id uuid NOT NULL REFERENCES contact_groups (id) ON DELETE CASCADE,
  contact_id uuid NOT NULL REFERENCES contacts (id) ON DELETE CASCADE,
  PRIMARY KEY (group_id, contact_id)
);
CREATE INDEX contact_group_members_by_contact ON contact_group_members (contact_id);

-- People whose traces are to go, and how far that is. Phone and user id are taken away with the last of them.
CREATE TABLE erasures (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  phone text,
  user_id text,
  requested_at timestamptz NOT NULL,
  round smallint NOT NULL DEFAULT 1,
  -- By part: how far it is, true where it is done in this round.
  progress jsonb NOT NULL DEFAULT '{}',
  owner uuid,
  -- When somebody may go on with it: the end of the owner's lease, or the time of the next round.
  due_at timestamptz NOT NULL,
  completed_at timestamptz
);
CREATE INDEX erasures_due ON erasures (due_at) WHERE completed_at IS NULL;

-- What is known of the will of a person, who is the key of all forms of a phone number, or a user id of the platform.
-- A row that does not stand keeps when the person was heard, so that an older word that comes late changes nothing.
CREATE TABLE opt_outs (
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  person text NOT NULL,
  -- All | Marketing
  scope text NOT NULL DEFAULT 'All',
  phone text,
  user_id text,
  source text NOT NULL,
  stopped boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now(),
  stop_at timestamptz,
  start_at timestamptz,
  PRIMARY KEY (account_id, person, scope)
);
CREATE INDEX opt_outs_standing ON opt_outs (account_id, created_at DESC, person, scope) WHERE stopped;

-- resource_id is chosen with the claim, so whoever finds a claim whose lease ended can tell whether the job or the
-- message was made. A row without answer_status is a claim.
CREATE TABLE idempotency_keys (
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  endpoint text NOT NULL,
  key text NOT NULL,
  fingerprint bytea NOT NULL,
  claim_token uuid NOT NULL,
  lease_until timestamptz NOT NULL,
  resource_id uuid NOT NULL,
  answer_status integer,
  answer_body jsonb,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, endpoint, key)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
`;
