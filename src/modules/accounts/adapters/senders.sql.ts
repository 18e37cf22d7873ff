import { prepared } from '../../../infra/database/prepared-statement';

const COLUMNS = `
  s.id, s.account_id AS "accountId", s.phone_number_id AS "phoneNumberId", s.business_account_id AS "businessAccountId",
  s.display_phone_number AS "displayPhoneNumber", s.messages_per_second AS "messagesPerSecond", s.messaging_tier AS "messagingTier",
  s.access_token_encrypted AS "accessTokenEncrypted", s.app_secret_encrypted AS "appSecretEncrypted",
  s.marketing_messages_api AS "marketingMessagesApi", s.business_portfolio_id AS "businessPortfolioId",
  COALESCE(s.business_portfolio_id, a.business_portfolio_id, s.business_account_id) AS "portfolioId",
  a.sending_paused OR a.status <> 'Active' OR s.deleted_at IS NOT NULL AS "sendingPaused", s.deleted_at IS NOT NULL AS "isDeleted",
  a.status = 'Deleting' AS "isAccountDeleted", a.default_country AS "defaultCountry",
  s.templates_synced_at AS "templatesSyncedAt", s.limits_read_at AS "limitsReadAt", s.platform_quality_rating AS "qualityRating",
  s.platform_problem AS problem`;
const FROM = 'FROM senders s JOIN accounts a ON a.id = s.account_id';
const TRAFFIC = 't.last_accepted_at AS "lastAcceptedAt", t.last_webhook_at AS "lastReportedAt"';
const WITH_TRAFFIC = `${FROM} LEFT JOIN sender_traffic t ON t.sender_id = s.id`;
const SELECT = `SELECT ${COLUMNS}, ${TRAFFIC} ${WITH_TRAFFIC}`;
const NOT_DELETED = `s.deleted_at IS NULL AND a.status <> 'Deleting'`;
const OLDEST_FIRST = 'ORDER BY a.created_at, a.id';

export const SENDERS_BY_ID = prepared(`${SELECT} WHERE s.id = ANY($1::uuid[])`);
export const SENDERS_OF_ACCOUNT = prepared(
  `${SELECT} WHERE s.account_id = $1 AND s.deleted_at IS NULL ORDER BY s.is_default DESC, s.id`,
);
// The ids are in the order of creation.
export const OLDEST_SENDER = prepared(`${SELECT} WHERE s.account_id = $1 ORDER BY s.id LIMIT 1`);
export const DEFAULT_SENDERS = prepared(`${SELECT} WHERE s.account_id = ANY($1::uuid[]) AND s.is_default`);
export const SENDERS_BY_NUMBER = prepared(
  `${SELECT} WHERE s.phone_number_id = ANY($1::text[]) AND ${NOT_DELETED} ${OLDEST_FIRST}`,
);
export const SENDERS_BY_BUSINESS_ACCOUNT = prepared(
  `${SELECT} WHERE s.business_account_id = ANY($1::text[]) AND ${NOT_DELETED} ${OLDEST_FIRST}`,
);

/** $1 id of the last change that is known, which is found again; NULL: of the last one. */
export const SENDER_CHANGES = prepared(`
SELECT c.id::text, c.phone_number_id AS "phoneNumberId", c.business_account_id AS "businessAccountId" FROM sender_change_log c
WHERE c.id >= COALESCE($1::bigint, (SELECT max(id) FROM sender_change_log)) ORDER BY c.id`);

export const SENDERS = `${SELECT} WHERE ${NOT_DELETED} ${OLDEST_FIRST}`;

/** $1 due time, $2 that of senders with a report since $3, $4 that of senders idle since $5, and created before the id $6. Returns ids only: every process asks once a minute, among 10,000 senders. */
const sendersDue = (column: string): string => `
SELECT s.id ${WITH_TRAFFIC}
WHERE ${NOT_DELETED}
  AND COALESCE(s.${column}, '-infinity') <= CASE WHEN t.last_webhook_at >= $3::timestamptz THEN $2::timestamptz
    WHEN s.id >= $6::uuid OR GREATEST(t.last_accepted_at, t.last_webhook_at) >= $5::timestamptz THEN $1::timestamptz
    ELSE $4::timestamptz END
${OLDEST_FIRST}`;
export const SENDERS_DUE = {
  limitsReadAt: sendersDue('limits_read_at'),
  templatesSyncedAt: sendersDue('templates_synced_at'),
};

/** $1 activity since, $2 the lowest id of senders created since then. Every process reads this once a minute, among 10,000 senders: without a join of all accounts. */
export const BUSINESS_ACCOUNTS = `
SELECT s.business_account_id AS id, COALESCE(bool_or(t.last_webhook_at >= $1), false) AS "isReported",
  bool_and(s.id < $2::uuid AND COALESCE(GREATEST(t.last_accepted_at, t.last_webhook_at) < $1, true)) AS "isIdle",
  max(s.id::text) AS "newestSender"
FROM senders s LEFT JOIN sender_traffic t ON t.sender_id = s.id
WHERE s.deleted_at IS NULL AND s.account_id <> ALL(ARRAY(SELECT id FROM accounts WHERE status = 'Deleting'))
GROUP BY s.business_account_id`;

export const REFUSED_SENDERS = `${SELECT} WHERE s.platform_problem IS NOT NULL AND ${NOT_DELETED} ${OLDEST_FIRST}`;

/** $1 sender, $2 time, $3 quality rating, $4 problem. */
export const RECORD_READING = `
UPDATE senders SET limits_read_at = $2, platform_quality_rating = $3, platform_problem = $4, limits_lease_until = '-infinity' WHERE id = $1`;

/** $1 sender, $2 lease in ms. */
export const LEASE_READING = `
UPDATE senders SET limits_lease_until = clock_timestamp() + $2 * interval '1 ms' WHERE id = $1 AND limits_lease_until < clock_timestamp()`;

/** $1 id of the sender before, NULL: none; $2 limit. */
export const APP_SECRETS = prepared(`
SELECT id, app_secret_encrypted AS "appSecretEncrypted" FROM senders
WHERE id > COALESCE($1::uuid, '00000000-0000-0000-0000-000000000000') AND deleted_at IS NULL ORDER BY id LIMIT $2`);

const BEGIN_RETURN = `return_due_at = now(), return_until = now() + interval '1 day'`;

/** The secrets are kept until END_RETURNS. */
export const DELETE_SENDER = `UPDATE senders SET deleted_at = now(), is_default = false, ${BEGIN_RETURN} WHERE id = $1`;

/** $1 account. */
export const BEGIN_RETURNS = `
UPDATE senders SET ${BEGIN_RETURN} WHERE account_id = $1 AND deleted_at IS NULL AND return_due_at IS NULL`;

/** $1 limit, $2 lease in ms. */
export const TAKE_RETURNS = `
UPDATE senders SET return_due_at = clock_timestamp() + $2 * interval '1 ms' WHERE id = ANY(ARRAY(
  SELECT id FROM senders WHERE return_due_at <= clock_timestamp() AND return_due_at < 'infinity'
  ORDER BY return_due_at LIMIT $1 FOR UPDATE SKIP LOCKED))
RETURNING id, return_until <= clock_timestamp() AS "isLast"`;

/** $1 senders. Each pause is as long as the time before, from a minute to half an hour. */
export const POSTPONE_RETURNS = `
UPDATE senders SET return_due_at = clock_timestamp() + LEAST(interval '30 min',
  GREATEST(interval '1 min', clock_timestamp() - (return_until - interval '1 day')))
WHERE id = ANY($1::uuid[])`;

/** $1 senders. Those of a deleted account are deleted with it. */
export const END_RETURNS = `
UPDATE senders SET return_due_at = 'infinity', platform_problem = NULL,
  access_token_encrypted = CASE WHEN deleted_at IS NULL THEN access_token_encrypted END,
  app_secret_encrypted = CASE WHEN deleted_at IS NULL THEN app_secret_encrypted END
WHERE id = ANY($1::uuid[])`;

export const HAS_RETURNS = `
SELECT EXISTS (SELECT FROM senders WHERE account_id = $1 AND return_due_at < 'infinity') AS "hasReturns"`;

/** Changes limits only if they differ: $1 sender, $2 rate, $3 tier; NULL: not reported. */
export const RECORD_LIMITS = `
UPDATE senders SET platform_messages_per_second = COALESCE($2::int, platform_messages_per_second),
  platform_messaging_tier = COALESCE($3::text, platform_messaging_tier)
WHERE id = $1 AND (platform_messages_per_second IS DISTINCT FROM COALESCE($2::int, platform_messages_per_second)
  OR platform_messaging_tier IS DISTINCT FROM COALESCE($3::text, platform_messaging_tier))`;
