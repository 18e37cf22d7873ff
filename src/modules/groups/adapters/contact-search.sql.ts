import { endsWith } from '../../../infra/database/number-ends.sql';

/**
 * Contacts whose name or number may match a search, newest first: $1 account, $2 text, $3 beginnings of numbers, $4 only ids below this
 * one, $5 limit, $6 a group, $7 the end of a number. `isSearched`: a member of the group, if one is given. The keys contain the account. A condition on
 * account_id here would make the planner choose another index; without MATERIALIZED the LIMIT would.
 */
export const BY_KEYS = `
WITH named AS MATERIALIZED (
  SELECT id, account_id, name, username, phone FROM contacts
  WHERE search_keys(account_id, COALESCE(name, '') || ' ' || COALESCE(username, '')) @> search_keys($1::uuid, $2)
    AND ($4::uuid IS NULL OR id < $4)),
numbered AS MATERIALIZED (
  SELECT c.* FROM unnest($3::text[]) AS b (beginning) CROSS JOIN LATERAL (
    SELECT id, account_id, name, username, phone FROM contacts
    WHERE account_id = $1 AND phone_key BETWEEN b.beginning AND rpad(b.beginning, 16, '9') AND ($4::uuid IS NULL OR id < $4) OFFSET 0) c),
ended AS MATERIALIZED (
  SELECT id, account_id, name, username, phone FROM contacts
  WHERE account_id = $1 AND ${endsWith('phone_key', '$7')} AND ($4::uuid IS NULL OR id < $4)),
candidates AS (
  (SELECT * FROM named WHERE account_id = $1 LIMIT $5::int) UNION (SELECT * FROM numbered LIMIT $5::int)
  UNION (SELECT * FROM ended LIMIT $5::int))
SELECT id, name, username, phone, $6::uuid IS NULL OR EXISTS (
    SELECT FROM contact_group_members WHERE group_id = $6 AND contact_id = candidates.id) AS "isSearched"
FROM candidates ORDER BY id DESC`;
