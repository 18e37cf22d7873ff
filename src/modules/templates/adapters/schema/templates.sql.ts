/** Templates, their revisions, and the leases of their syncs. */
export const TEMPLATES = `
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
  -- The platform's reports are applied up to this time: older ones are ignored.
  status_at timestamptz NOT NULL DEFAULT now(),
  -- When the status last changed here, by the same clock as bulk_jobs.paused_at.
  status_changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- The contents that a send made now would use; never changed in place, see template_revisions.
  revision_id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  last_synced_at timestamptz,
  -- Also finds the template of a request or a job.
  UNIQUE (account_id, name, language_code)
);

-- The contents of a template at one time. Jobs and messages name the revision they were made with: a later edit changes neither
-- what a running job sends nor what the history shows.
CREATE TABLE template_revisions (
  id uuid PRIMARY KEY,
  template_id uuid NOT NULL REFERENCES templates (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  components jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
-- Deletes the revisions of a deleted template (foreign key).
CREATE INDEX template_revisions_by_template ON template_revisions (template_id, created_at DESC);

-- Which process syncs the templates of an account, until its lease ends.
CREATE TABLE template_syncs (
  account_id uuid PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  owner uuid NOT NULL,
  lease_until timestamptz NOT NULL
);
`;
