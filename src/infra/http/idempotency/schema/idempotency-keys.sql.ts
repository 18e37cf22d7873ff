/** The stored response of a row, in its original bytes; `answer_body` has the responses of earlier versions. */
export const ANSWER = 'COALESCE(answer, answer_body::json)';

const field = (name: string): string => `${ANSWER} #>> '{body,${name}}'`;

/**
 * Whom the stored response of a row names: numbers, user ids, and the conversation of a message whose platform id is stored; empty once
 * they are erased.
 */
export const PEOPLE_OF_ANSWER = `array_remove(ARRAY[NULLIF(${field('to')}, ''), ${field('phone')}, ${field('userId')},
  CASE WHEN ${field('platformMessageId')} IS NOT NULL THEN ${field('conversationId')} END], NULL)`;

/** Idempotency keys and their stored responses. */
export const IDEMPOTENCY_KEYS = `
-- resource_id is chosen with the claim: when a lease has expired, the next request can tell whether the job or message was
-- created. A row without answer_status is a claim.
CREATE TABLE idempotency_keys (
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  endpoint text NOT NULL,
  key text NOT NULL,
  fingerprint bytea NOT NULL,
  claim_token uuid NOT NULL,
  lease_until timestamptz NOT NULL,
  resource_id uuid NOT NULL,
  answer_status integer,
  -- Responses stored by earlier versions; deleted 24 hours after the upgrade.
  answer_body jsonb,
  -- json keeps the order of the fields, so that a repeated answer has the bytes of the first one.
  answer json,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, endpoint, key)
);
-- Deletes keys after 24 hours.
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
-- FORGET (idempotency-claims.sql.ts): the responses that name a person.
CREATE INDEX idempotency_keys_by_person ON idempotency_keys USING gin ((${PEOPLE_OF_ANSWER})) WHERE answer_status IS NOT NULL;
`;
