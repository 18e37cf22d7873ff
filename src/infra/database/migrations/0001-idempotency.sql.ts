/** Idempotency keys of requests. */
export const IDEMPOTENCY = `
-- resource_id is chosen with the claim, so that after the end of a lease the next request can tell whether the job or
-- message was created. A row without answer_status is a claim.
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
