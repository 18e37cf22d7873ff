import { cursorTime } from '../../../infra/database/keyset-lists.sql';

const OPT_OUT = 'scope, phone, user_id AS "userId", source, created_at AS "createdAt"';
const RECORD = `${OPT_OUT}, person, stopped, stop_at AS "stopAt", start_at AS "startAt"`;

/** The user id of the contact with the number `phone` in the account `account`; NULL: unknown. */
const userIdOf = (account: string, phone: string): string =>
  `(SELECT user_id FROM contacts WHERE account_id = ${account} AND phone_key = ${phone})`;

/** An opt-out in effect stays unchanged, except that a user id is added; DO NOTHING would not return its row. */
export const ADD = `
INSERT INTO opt_outs AS o (account_id, person, scope, phone, user_id, source, created_at)
VALUES ($1, $2, $3, $4::text, COALESCE($5, ${userIdOf('$1', '$4::text')}), $6, $7)
ON CONFLICT (account_id, person, scope) DO UPDATE SET stopped = true,
  phone = CASE WHEN o.stopped THEN o.phone ELSE EXCLUDED.phone END, user_id = COALESCE(o.user_id, EXCLUDED.user_id),
  source = CASE WHEN o.stopped THEN o.source ELSE EXCLUDED.source END,
  created_at = CASE WHEN o.stopped THEN o.created_at ELSE EXCLUDED.created_at END
RETURNING ${OPT_OUT}`;

/** Inserts missing rows for LOCK; $1: account, $2: scope, $3: keys, $4: phones, $5: user ids. */
export const PREPARE = `
INSERT INTO opt_outs (account_id, person, scope, phone, user_id, source, stopped)
SELECT $1, person, $2, phone, COALESCE(user_id, ${userIdOf('$1', 'p.phone')}), 'Keyword', false
FROM unnest($3::text[], $4::text[], $5::text[]) AS p (person, phone, user_id) ORDER BY person
ON CONFLICT (account_id, person, scope) DO NOTHING`;

/** $1: account, $2: phones, $3: user ids. Keeps the link of an opt-out when contact and conversation are deleted. */
export const ADD_USER_IDS = `
UPDATE opt_outs o SET user_id = p.user_id FROM unnest($2::text[], $3::text[]) AS p (person, user_id)
WHERE o.account_id = $1 AND o.person = p.person AND o.user_id IS DISTINCT FROM p.user_id`;

export const LOCK = `
SELECT ${RECORD} FROM opt_outs WHERE account_id = $1 AND scope = $2 AND person = ANY($3::text[]) ORDER BY person FOR UPDATE`;

export const SAVE = `
UPDATE opt_outs o SET source = s.source, stopped = s.stopped, created_at = s.created_at, stop_at = s.stop_at,
  start_at = s.start_at
FROM unnest($2::text[], $3::text[], $4::text[], $5::boolean[], $6::timestamptz[], $7::timestamptz[], $8::timestamptz[])
  AS s (person, scope, source, stopped, created_at, stop_at, start_at)
WHERE o.account_id = $1 AND o.person = s.person AND o.scope = s.scope`;

export const DELETE_RECORDS = `
DELETE FROM opt_outs WHERE (account_id, person, scope) IN (
  SELECT account_id, person, scope FROM opt_outs WHERE account_id = $1 AND person = ANY($2::text[])
  ORDER BY person, scope FOR UPDATE)
RETURNING ${RECORD}`;

/** Runs for every message. A condition on `stopped` would make the planner use the index of the list. */
export const RECORDS_OF = `
SELECT person, scope, stopped FROM opt_outs WHERE account_id = $1 AND person = ANY($2::text[])`;

export const REMOVE = `
UPDATE opt_outs SET stopped = false WHERE account_id = $1 AND person = ANY($2::text[]) AND stopped RETURNING ${OPT_OUT}`;

/** $1 account, $2 the highest count. */
export const COUNT = `
SELECT count(*)::integer AS total FROM (SELECT FROM opt_outs WHERE account_id = $1 AND stopped LIMIT $2) counted`;

/** The rows of earlier pages are skipped in the index; LATERAL with OFFSET 0 looks up those of the page. */
export const LIST = `
SELECT o.* FROM (
  SELECT person, scope FROM opt_outs WHERE account_id = $1 AND stopped
  ORDER BY created_at DESC, person, scope LIMIT $2 OFFSET $3) page
CROSS JOIN LATERAL (
  SELECT ${OPT_OUT} FROM opt_outs WHERE account_id = $1 AND person = page.person AND scope = page.scope OFFSET 0) o
ORDER BY o."createdAt" DESC, page.person, page.scope`;

/** $1 account, $2 time, $3 person, $4 scope of the last one before, $5 people, $6 limit. */
export const SLICE = `
SELECT o.*, page.person, page.at FROM (
  SELECT person, scope, created_at, ${cursorTime('created_at')} AS at FROM opt_outs
  WHERE account_id = $1 AND stopped AND created_at <= $2::timestamptz
    AND (created_at < $2::timestamptz OR (person, scope) > ($3::text, $4::text)) AND ($5::text[] IS NULL OR person = ANY($5))
  ORDER BY created_at DESC, person, scope LIMIT $6) page
CROSS JOIN LATERAL (
  SELECT ${OPT_OUT} FROM opt_outs WHERE account_id = $1 AND person = page.person AND scope = page.scope OFFSET 0) o
ORDER BY page.created_at DESC, page.person, page.scope`;

/** At most one for each key and scope. */
export const LIST_OF = `
SELECT ${OPT_OUT}, stop_at AS "stopAt" FROM opt_outs WHERE account_id = $1 AND person = ANY($2::text[]) AND stopped
ORDER BY created_at DESC, person, scope`;
