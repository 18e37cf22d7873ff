/** Contacts, contact groups, opt-outs, and erasures of one person. */
export const GROUPS = `
-- A person is known by a phone number, by the platform's user id, or by both. phone_key is the canonical number of the person.
CREATE TABLE contacts (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  phone text,
  phone_key text,
  user_id text,
  -- The public name that the person chose on the platform.
  username text,
  name text,
  parameters jsonb NOT NULL DEFAULT '{}',
  attributes jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((phone IS NULL) = (phone_key IS NULL) AND (phone IS NOT NULL OR user_id IS NOT NULL))
);
-- One contact for each number; finds it.
CREATE UNIQUE INDEX contacts_by_phone ON contacts (account_id, phone_key);
-- One contact for each user id; finds it.
CREATE UNIQUE INDEX contacts_by_user_id ON contacts (account_id, user_id) WHERE user_id IS NOT NULL;
-- Lists and searches the contacts of an account, newest first.
CREATE INDEX contacts_by_account ON contacts (account_id, id);
-- BY_KEYS (contact-search.sql.ts): contacts by a part of a name.
CREATE INDEX contacts_by_search_keys ON contacts
  USING gin (search_keys(account_id, COALESCE(name, '') || ' ' || COALESCE(username, '')));

CREATE TABLE contact_groups (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  name text NOT NULL,
  description text,
  contact_count integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
-- One group for each name; lists the groups of an account.
CREATE UNIQUE INDEX contact_groups_by_name ON contact_groups (account_id, lower(name));

CREATE TABLE contact_group_members (
  group_id uuid NOT NULL REFERENCES contact_groups (id) ON DELETE CASCADE,
  contact_id uuid NOT NULL REFERENCES contacts (id) ON DELETE CASCADE,
  PRIMARY KEY (group_id, contact_id)
);
-- Shows the groups of a contact; removes a deleted contact from them.
CREATE INDEX contact_group_members_by_contact ON contact_group_members (contact_id);

-- Opt-outs by person: a canonical number, or a user id of the platform. A row with stopped = false keeps when the person last
-- opted out and in, so that an older message that arrives late changes nothing.
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
-- Lists and counts the opt-outs of an account, newest first.
CREATE INDEX opt_outs_standing ON opt_outs (account_id, created_at DESC, person, scope) WHERE stopped;
-- FIND (postgres-known-number-store.ts): the number of a user id.
CREATE INDEX opt_outs_by_user_id ON opt_outs (account_id, user_id) WHERE user_id IS NOT NULL;

-- Erasures of one person, and their progress. Phone and user id are cleared when the erasure is complete.
CREATE TABLE erasures (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  phone text,
  user_id text,
  -- After the commit of the request; 'infinity' until then.
  requested_at timestamptz NOT NULL,
  round smallint NOT NULL DEFAULT 1,
  -- For each part of the service: its position, or true once it is done in this round.
  progress jsonb NOT NULL DEFAULT '{}',
  owner uuid,
  -- When a process may take it: the end of the owner's lease, or the time of the next round.
  due_at timestamptz NOT NULL,
  completed_at timestamptz
);
-- Claims the next erasure that is due.
CREATE INDEX erasures_due ON erasures (due_at) WHERE completed_at IS NULL;
`;
