/**
 * A page of an audience, by contact id: $1 account, $2 groups, $3 excluded groups, $4 the contact before, $5 limit, $6 attributes to read.
 * Each group yields its first members after $4, among which are the first ones of all groups together, so a page reads as many rows
 * however large the groups are. Members of excluded groups are marked rather than skipped, for the same reason. LATERAL with OFFSET 0: without
 * statistics, which the embedded database never has, a plain join would read all contacts for each page.
 */
export const MEMBERS = `
SELECT c.id AS "contactId", c.name, c.phone, c.user_id AS "userId", c.parameters, p.excluded,
  (SELECT COALESCE(jsonb_object_agg(name, c.attributes->name), '{}') FROM unnest($6::text[]) AS wanted (name)
   WHERE jsonb_exists(c.attributes, name)) AS attributes
FROM (
  SELECT contact_id, (SELECT 1 FROM contact_group_members x
    WHERE x.contact_id = firsts.contact_id AND x.group_id = ANY($3::uuid[]) LIMIT 1) IS NOT NULL AS excluded
  FROM (
    SELECT DISTINCT m.contact_id FROM unnest($2::uuid[]) AS g (id)
    CROSS JOIN LATERAL (SELECT contact_id FROM contact_group_members
      WHERE group_id = g.id AND contact_id > $4::uuid ORDER BY contact_id LIMIT $5) m
    ORDER BY m.contact_id LIMIT $5) firsts) p
CROSS JOIN LATERAL (SELECT * FROM contacts WHERE id = p.contact_id OFFSET 0) c
WHERE c.account_id = $1 ORDER BY c.id`;

/** Names of attributes of the newest contacts of groups: $1 account, $2 groups, $3 contacts read of each. */
export const ATTRIBUTE_NAMES = `
SELECT DISTINCT jsonb_object_keys(c.attributes) COLLATE "C" AS name
FROM unnest($2::uuid[]) AS g (id)
CROSS JOIN LATERAL (SELECT contact_id FROM contact_group_members
  WHERE group_id = g.id ORDER BY contact_id DESC LIMIT $3) m
CROSS JOIN LATERAL (SELECT account_id, attributes FROM contacts WHERE id = m.contact_id OFFSET 0) c
WHERE c.account_id = $1 ORDER BY name LIMIT 50`;
