import { ANSWER, PEOPLE_OF_ANSWER } from './schema/idempotency-keys.sql';

/** Seconds until a claim expires unless it is renewed. */
export const LEASE_SECONDS = 20;

const LEASE = `now() + interval '${LEASE_SECONDS} seconds'`;
const TOO_OLD = `interval '24 hours'`;
const KEY = 'account_id = $1 AND endpoint = $2 AND key = $3';

/** Claims a key that is free or older than 24 hours. $4 fingerprint, $5 token, $6 resource id. */
export const CLAIM = `
INSERT INTO idempotency_keys AS held (account_id, endpoint, key, fingerprint, claim_token, resource_id, lease_until)
VALUES ($1, $2, $3, $4, $5, $6, ${LEASE})
ON CONFLICT (account_id, endpoint, key) DO UPDATE SET fingerprint = excluded.fingerprint, claim_token = excluded.claim_token,
  resource_id = excluded.resource_id, lease_until = excluded.lease_until, answer_status = NULL, answer = NULL, answer_body = NULL,
  created_at = now()
WHERE held.created_at < now() - ${TOO_OLD} AND held.lease_until < now()`;

/** The current holder of the key. */
export const HOLDER = `
SELECT fingerprint, claim_token AS "token", resource_id AS "resourceId", answer_status AS "answerStatus", ${ANSWER} AS answer,
  ceil(extract(epoch FROM lease_until - now()))::int AS "secondsLeft"
FROM idempotency_keys WHERE ${KEY}`;

/** Claims a key whose claim expired without a response. $4 fingerprint, $5 new token, $6 resource id, $7 token of the expired claim. */
export const TAKE_OVER = `
UPDATE idempotency_keys SET fingerprint = $4, claim_token = $5, resource_id = $6, lease_until = ${LEASE}, created_at = now()
WHERE ${KEY} AND claim_token = $7 AND lease_until <= now() AND answer_status IS NULL`;

/** Renews the lease if the claim still holds. $4 token. */
export const RENEW = `
UPDATE idempotency_keys SET lease_until = ${LEASE} WHERE ${KEY} AND claim_token = $4 AND answer_status IS NULL`;

/** Stores the response. $4 token, $5 status, $6 response. */
export const KEEP = `
UPDATE idempotency_keys SET answer_status = $5, answer = $6 WHERE ${KEY} AND claim_token = $4`;

/** Frees the key. $4 token. */
export const RELEASE = `DELETE FROM idempotency_keys WHERE ${KEY} AND claim_token = $4`;

/** Lets the claim expire, so that the next request checks whether the resource exists. $4 token. */
export const ABANDON = `UPDATE idempotency_keys SET lease_until = now() WHERE ${KEY} AND claim_token = $4`;

/**
 * Erases personal data, and the platform's message id, which contains the number, from stored responses about these people or
 * conversations; the responses remain. $2 numbers, user ids and conversation ids, $3 latest creation time, $4 limit.
 */
export const FORGET = `
WITH found AS MATERIALIZED (
  SELECT ctid AS place, account_id, created_at FROM idempotency_keys
  WHERE answer_status IS NOT NULL AND ${PEOPLE_OF_ANSWER} && $2::text[])
UPDATE idempotency_keys
SET answer_body = NULL, answer = json_build_object('headers', ${ANSWER} -> 'headers', 'body', (
  SELECT json_object_agg(key, CASE WHEN key IN ('platformMessageId', 'phone', 'userId', 'name', 'username') THEN 'null'
    WHEN key = 'to' THEN '""' WHEN key IN ('parameters', 'attributes') THEN '{}' ELSE value END ORDER BY nth)
  FROM json_each(${ANSWER} -> 'body') WITH ORDINALITY AS field (key, value, nth)))
WHERE answer_status IS NOT NULL
  AND ctid = ANY(ARRAY(SELECT place FROM found WHERE account_id = $1 AND created_at <= $3 LIMIT $4))`;

/** Deletes at most $2 keys of an account. */
export const DELETE_OF_ACCOUNT = `
DELETE FROM idempotency_keys WHERE ctid = ANY(ARRAY(SELECT ctid FROM idempotency_keys WHERE account_id = $1 LIMIT $2))`;

/** Deletes at most 1,000 expired keys. */
export const CLEAN = `
DELETE FROM idempotency_keys WHERE ctid = ANY(ARRAY(
  SELECT ctid FROM idempotency_keys WHERE created_at < now() - ${TOO_OLD} AND lease_until < now() LIMIT 1000))`;
