import { prepared } from '../../../infra/database/prepared-statement';

const IN_WINDOW = `at > statement_timestamp() - interval '24 hours'`;

export const TIER_OF = prepared(`SELECT messaging_tier AS "messagingTier" FROM senders WHERE id = $1`);

export const ADD_PORTFOLIO = prepared(`INSERT INTO portfolios (id) VALUES ($1) ON CONFLICT DO NOTHING`);

export const LOCK_PORTFOLIO = prepared(`SELECT at_most AS "atMost" FROM portfolios WHERE id = $1 FOR UPDATE`);

export const SET_AT_MOST = prepared(`UPDATE portfolios SET at_most = $2 WHERE id = $1 AND at_most <> $2`);

export const LOCK_PORTFOLIOS_OF = `
SELECT 1 FROM portfolios WHERE id = ANY(ARRAY(
  SELECT portfolio_id FROM tier_conversations WHERE message_id = ANY($1::uuid[]))) ORDER BY id FOR UPDATE`;

export const GIVE_BACK = `DELETE FROM tier_conversations WHERE message_id = ANY($1::uuid[])`;

/** Expired entries of a locked portfolio. */
export const FORGET = prepared(`
DELETE FROM tier_conversations WHERE portfolio_id = $1 AND person = ANY(ARRAY(
  SELECT person FROM tier_conversations
  WHERE portfolio_id = $1 AND at < statement_timestamp() - interval '25 hours' ORDER BY at LIMIT 500))`);

export const USED = prepared(`
SELECT count(*)::int AS used FROM tier_conversations WHERE portfolio_id = $1 AND ${IN_WINDOW}`);

export const KNOWN = prepared(`SELECT person FROM unnest($2::text[]) AS requested (person)
CROSS JOIN LATERAL (SELECT at FROM tier_conversations t WHERE t.portfolio_id = $1 AND t.person = requested.person LIMIT 1) t
WHERE ${IN_WINDOW}`);

export const TAKE = prepared(`
INSERT INTO tier_conversations AS held (portfolio_id, person, at, message_id)
SELECT $1, person, clock_timestamp(), message FROM unnest($2::text[], $3::uuid[]) AS t (person, message)
ON CONFLICT (portfolio_id, person) DO UPDATE SET at = EXCLUDED.at, message_id = EXCLUDED.message_id
WHERE held.at <= statement_timestamp() - interval '24 hours'`);

/** Two messages rely on the row now, so the refusal of one does not free it. */
export const SHARE = `
UPDATE tier_conversations SET message_id = NULL
FROM unnest(array_fill($1::text, ARRAY[cardinality($2::text[])]), $2::text[], $3::uuid[]) AS t (portfolio, shared_with, message)
WHERE portfolio_id = portfolio AND person = shared_with AND message_id <> message`;

/** $1 portfolio, $2 user ids, $3 their numbers. A person counted under both is counted once, for the longer time. */
export const RENAME = `
WITH renamed AS (
  DELETE FROM tier_conversations WHERE portfolio_id = $1 AND person = ANY($2::text[]) RETURNING person, at, message_id)
INSERT INTO tier_conversations AS held (portfolio_id, person, at, message_id)
SELECT $1, p.phone, renamed.at, renamed.message_id
FROM renamed JOIN unnest($2::text[], $3::text[]) AS p (user_id, phone) ON p.user_id = renamed.person
ON CONFLICT (portfolio_id, person) DO UPDATE SET at = GREATEST(held.at, EXCLUDED.at), message_id = NULL`;

export const NEXT_LEAVES = prepared(`
SELECT at + interval '24 hours' AS until FROM tier_conversations WHERE portfolio_id = $1 AND ${IN_WINDOW}
ORDER BY at LIMIT 1`);
