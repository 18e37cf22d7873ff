import { endsWith } from '../../../infra/database/number-ends.sql';

const IS_BELOW = '($4::uuid IS NULL OR c.id < $4)';

/**
 * Contacts whose name or number may match a search, newest first: $1 account, $2 looked up texts, $3 beginnings of numbers, $4 only ids below
 * this one, $5 most candidates, $6 a group, $7 the end of a number, $8 most rows. `candidates`: their number, at most one more than $5 of each
 * kind and text; then the rows are incomplete. `isSearched`: a member of the group, if one is given. The keys contain the account. A condition on
 * account_id or id within OFFSET 0 would make the planner choose another index, or read all older ids besides; without MATERIALIZED the LIMIT would.
 */
export const BY_KEYS = `
WITH named AS MATERIALIZED (
  SELECT c.id, c.account_id FROM unnest($2::text[]) AS t (part) CROSS JOIN LATERAL (
    SELECT id, account_id FROM contacts
    WHERE folded_keys(account_id, COALESCE(name, '') || ' ' || COALESCE(username, '')) @> folded_keys($1::uuid, t.part) OFFSET 0) c
  WHERE ${IS_BELOW}),
numbered AS MATERIALIZED (
  SELECT c.id FROM unnest($3::text[]) AS b (beginning) CROSS JOIN LATERAL (
    SELECT id FROM contacts
    WHERE account_id = $1 AND phone_key BETWEEN b.beginning AND rpad(b.beginning, 16, '9') OFFSET 0) c
  WHERE ${IS_BELOW}),
ended AS MATERIALIZED (
  SELECT c.id FROM (SELECT id FROM contacts WHERE account_id = $1 AND ${endsWith('phone_key', '$7')} OFFSET 0) c WHERE ${IS_BELOW}),
candidates AS MATERIALIZED (
  (SELECT id FROM named WHERE account_id = $1 LIMIT ($5::int + 1) * cardinality($2::text[])) UNION (SELECT id FROM numbered LIMIT $5::int + 1)
  UNION (SELECT id FROM ended LIMIT $5::int + 1))
SELECT c.*, (SELECT count(*)::int FROM candidates) AS candidates, $6::uuid IS NULL OR EXISTS (
    SELECT FROM contact_group_members WHERE group_id = $6 AND contact_id = c.id) AS "isSearched"
FROM (SELECT id FROM candidates ORDER BY id DESC LIMIT $8::int) newest
CROSS JOIN LATERAL (SELECT id, name, username, phone FROM contacts WHERE id = newest.id OFFSET 0) c ORDER BY c.id DESC`;
