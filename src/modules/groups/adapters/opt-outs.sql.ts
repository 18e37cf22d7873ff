const OPT_OUT = 'scope, phone, user_id AS "userId", source, created_at AS "createdAt"';
const RECORD = `${OPT_OUT}, person, stopped, stop_at AS "stopAt", start_at AS "startAt"`;

/** An opt-out in effect stays unchanged; DO NOTHING would not return its row. */
export const ADD = `
INSERT INTO opt_outs AS o (account_id, person, scope, phone, user_id, source, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (account_id, person, scope) DO UPDATE SET stopped = true,
  phone = CASE WHEN o.stopped THEN o.phone ELSE EXCLUDED.phone END,
  source = CASE WHEN o.stopped THEN o.source ELSE EXCLUDED.source END,
  created_at = CASE WHEN o.stopped THEN o.created_at ELSE EXCLUDED.created_at END
RETURNING ${OPT_OUT}`;

/** Makes rows that LOCK can lock: $1 account, $2 scope, $3 keys, $4 phones and $5 user ids. */
export const PREPARE = `
INSERT INTO opt_outs (account_id, person, scope, phone, user_id, source, stopped)
SELECT $1, person, $2, phone, user_id, 'Keyword', false
FROM unnest($3::text[], $4::text[], $5::text[]) AS p (person, phone, user_id) ORDER BY person
ON CONFLICT (account_id, person, scope) DO NOTHING`;

export const LOCK = `
SELECT ${RECORD} FROM opt_outs WHERE account_id = $1 AND scope = $2 AND person = ANY($3::text[]) ORDER BY person FOR UPDATE`;

export const SAVE = `
UPDATE opt_outs o SET source = s.source, stopped = s.stopped, created_at = s.created_at, stop_at = s.stop_at,
  start_at = s.start_at
FROM unnest($2::text[], $3::text[], $4::text[], $5::boolean[], $6::timestamptz[], $7::timestamptz[], $8::timestamptz[])
  AS s (person, scope, source, stopped, created_at, stop_at, start_at)
WHERE o.account_id = $1 AND o.person = s.person AND o.scope = s.scope`;

export const TAKE = `
DELETE FROM opt_outs WHERE (account_id, person, scope) IN (
  SELECT account_id, person, scope FROM opt_outs WHERE account_id = $1 AND person = ANY($2::text[])
  ORDER BY person, scope FOR UPDATE)
RETURNING ${RECORD}`;

/** Runs for every message. Without a condition on `stopped`, which would make the planner use the index of the list. */
export const RECORDS_OF = `
SELECT person, scope, stopped FROM opt_outs WHERE account_id = $1 AND person = ANY($2::text[])`;

export const REMOVE = `
UPDATE opt_outs SET stopped = false WHERE account_id = $1 AND person = ANY($2::text[]) AND stopped RETURNING ${OPT_OUT}`;

export const COUNT = `SELECT count(*)::integer AS total FROM opt_outs WHERE account_id = $1 AND stopped`;

export const LIST = `
SELECT ${OPT_OUT} FROM opt_outs WHERE account_id = $1 AND stopped
ORDER BY created_at DESC, person, scope LIMIT $2 OFFSET $3`;

export const PHONES_OF = `
SELECT user_id AS "userId", phone FROM contacts WHERE account_id = $1 AND user_id = ANY($2::text[]) AND phone IS NOT NULL`;
