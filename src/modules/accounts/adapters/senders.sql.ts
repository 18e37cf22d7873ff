import { prepared } from '../../../infra/database/prepared-statement';

const SELECT = `
SELECT s.id, s.account_id AS "accountId", s.phone_number_id AS "phoneNumberId", s.business_account_id AS "businessAccountId",
  s.display_phone_number AS "displayPhoneNumber", s.messages_per_second AS "messagesPerSecond", s.messaging_tier AS "messagingTier",
  s.access_token_encrypted AS "accessTokenEncrypted", s.app_secret_encrypted AS "appSecretEncrypted",
  s.marketing_messages_api AS "marketingMessagesApi", COALESCE(a.business_portfolio_id, s.business_account_id) AS "portfolioId",
  a.sending_paused OR a.status <> 'Active' AS "sendingPaused", a.default_country AS "defaultCountry",
  s.templates_synced_at AS "templatesSyncedAt", s.limits_read_at AS "limitsReadAt", s.platform_quality_rating AS "qualityRating",
  s.platform_problem AS problem, (SELECT t.last_webhook_at FROM sender_traffic t WHERE t.sender_id = s.id) AS "lastReportedAt"
FROM senders s JOIN accounts a ON a.id = s.account_id`;
const NOT_DELETED = `a.status <> 'Deleting'`;
const OLDEST_FIRST = 'ORDER BY a.created_at, a.id';

export const SENDER = prepared(`${SELECT} WHERE s.id = $1`);
export const SENDERS_OF_ACCOUNTS = prepared(`${SELECT} WHERE s.account_id = ANY($1::uuid[])`);
export const SENDERS_BY_NUMBER = prepared(
  `${SELECT} WHERE s.phone_number_id = ANY($1::text[]) AND ${NOT_DELETED} ${OLDEST_FIRST}`,
);
export const SENDERS_BY_BUSINESS_ACCOUNT = prepared(
  `${SELECT} WHERE s.business_account_id = ANY($1::text[]) AND ${NOT_DELETED} ${OLDEST_FIRST}`,
);
export const SENDERS = `${SELECT} WHERE ${NOT_DELETED} ${OLDEST_FIRST}`;

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
WHERE id > COALESCE($1::uuid, '00000000-0000-0000-0000-000000000000') ORDER BY id LIMIT $2`);

/** Changes limits only if they differ: $1 sender, $2 rate, $3 tier; NULL: not reported. */
export const RECORD_LIMITS = `
UPDATE senders SET platform_messages_per_second = COALESCE($2::int, platform_messages_per_second),
  platform_messaging_tier = COALESCE($3::text, platform_messaging_tier)
WHERE id = $1 AND (platform_messages_per_second IS DISTINCT FROM COALESCE($2::int, platform_messages_per_second)
  OR platform_messaging_tier IS DISTINCT FROM COALESCE($3::text, platform_messaging_tier))`;
