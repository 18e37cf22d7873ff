const CHANGED = 'CASE WHEN t.status <> n.status THEN clock_timestamp() ELSE t.status_changed_at END';

/** A `Template` with the contents of the revision `r`. */
const TEMPLATE = `t.id, t.account_id AS "accountId", t.business_account_id AS "businessAccountId", t.platform_template_id AS "platformTemplateId", t.name,
  t.language_code AS "languageCode", t.category, t.status, t.quality_rating AS "qualityRating",
  t.rejection_reason AS "rejectionReason", t.source, t.status_at AS "statusAt", r.id AS "revisionId", r.components,
  t.created_at AS "createdAt", t.updated_at AS "updatedAt", t.last_synced_at AS "lastSyncedAt"`;

/** Current contents of templates; `$1` is the account. */
export const SELECT_TEMPLATES = `
SELECT ${TEMPLATE}
FROM templates t JOIN template_revisions r ON r.id = t.revision_id`;

/** Templates of a business account, `$5`, with this text and footer; `$4` is null for none. */
export const SELECT_BY_TEXT = `${SELECT_TEMPLATES}
WHERE t.account_id = $1 AND t.business_account_id = $5 AND t.language_code = $2 AND t.status <> 'Deleted'
  AND r.components->>'bodyText' = $3 AND r.components->>'footerText' IS NOT DISTINCT FROM $4::text`;

/** A template with the contents of any of its revisions. */
export const SELECT_REVISION = `
SELECT ${TEMPLATE}
FROM template_revisions r JOIN templates t ON t.id = r.template_id
WHERE r.id = $1`;

/** A filter of NULL matches everything; `$5` is a LIKE pattern, `$7` whether it can be sent (isSendable in template.ts), `$8` business accounts. */
export const MATCHING = `
WHERE t.account_id = $1 AND ($2::text IS NULL OR t.status = $2) AND ($3::text IS NULL OR t.language_code = $3)
  AND ($4::text IS NULL OR t.category = $4)
  AND ($5::text IS NULL OR t.name ILIKE $5 OR r.components->>'bodyText' ILIKE $5)
  AND t.source = $6
  AND ($7::boolean IS NULL OR $7 = (t.status = 'Approved' AND r.components->'unsupported' = '[]'))
  AND ($8::text[] IS NULL OR t.business_account_id = ANY($8))`;

/** Returns the ids of the inserted rows: a template with the same name and language may have been added meanwhile. */
export const INSERT_TEMPLATES = `
INSERT INTO templates (id, account_id, business_account_id, platform_template_id, name, language_code, category, status, quality_rating,
  rejection_reason, source, parameter_format, revision_id, status_at, created_at, updated_at, last_synced_at)
SELECT id, $1, business_account, platform_id, name, language, category, status, quality, rejection, source, format, revision, status_at,
  $2, $2, $2
FROM unnest($3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[],
  $11::text[], $12::text[], $13::uuid[], $14::timestamptz[], $15::text[])
  AS n (id, platform_id, name, language, category, status, quality, rejection, source, format, revision, status_at, business_account)
ON CONFLICT (account_id, business_account_id, name, language_code) DO NOTHING
RETURNING id`;

/** Saves a complete template; returns nothing, and changes nothing, if another template has the name and language. */
export const SAVE_TEMPLATE = `
INSERT INTO templates AS t (id, account_id, platform_template_id, name, language_code, category, status, quality_rating,
  rejection_reason, parameter_format, revision_id, status_at, created_at, updated_at, last_synced_at, business_account_id)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
ON CONFLICT (account_id, business_account_id, name, language_code) DO UPDATE SET platform_template_id = EXCLUDED.platform_template_id,
  category = EXCLUDED.category, status = EXCLUDED.status, quality_rating = EXCLUDED.quality_rating,
  rejection_reason = EXCLUDED.rejection_reason, parameter_format = EXCLUDED.parameter_format,
  revision_id = EXCLUDED.revision_id, status_at = EXCLUDED.status_at,
  status_changed_at = CASE WHEN t.status <> EXCLUDED.status THEN clock_timestamp() ELSE t.status_changed_at END, updated_at = EXCLUDED.updated_at,
  last_synced_at = EXCLUDED.last_synced_at
WHERE t.id = EXCLUDED.id
RETURNING id`;

/** A revision is written once and never changed. */
export const INSERT_REVISIONS = `
INSERT INTO template_revisions (id, template_id, components, created_at)
SELECT id, template, components, $1 FROM unnest($2::uuid[], $3::uuid[], $4::jsonb[]) AS n (id, template, components)
ON CONFLICT (id) DO NOTHING`;

/**
 * Updates everything except name and language, which identify a template. `$11`: when reading the list began; a row that has
 * changed here since is newer and stays.
 */
export const UPDATE_TEMPLATES = `
UPDATE templates t SET platform_template_id = n.platform_id, category = n.category, status = n.status,
  quality_rating = n.quality, rejection_reason = n.rejection, source = n.source, parameter_format = n.format,
  revision_id = n.revision,
  status_changed_at = ${CHANGED}, status_at = $11, updated_at = $1, last_synced_at = $1
FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::uuid[])
  AS n (id, platform_id, category, status, quality, rejection, source, format, revision)
WHERE t.id = n.id AND t.updated_at <= $11
RETURNING t.id`;

/** `$1` now, `$2` ids, `$3` when reading the list began. */
export const TOUCH_TEMPLATES = `
UPDATE templates SET last_synced_at = $1, status_at = GREATEST(status_at, $3)
WHERE id = ANY($2::uuid[]) AND updated_at <= $3 RETURNING id`;

/** `$1` now, `$2` ids, `$3` when reading the list began. */
export const REMOVE_TEMPLATES = `
UPDATE templates SET status = 'Deleted', status_changed_at = clock_timestamp(), status_at = $3, updated_at = $1, last_synced_at = $1
WHERE id = ANY($2::uuid[]) AND updated_at <= $3 RETURNING id`;

export const LOCK_BY_ID = `SELECT 1 FROM templates WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE`;

/** Locks the templates that reports may concern, always in the same order: `$2` names, `$3` the platform's ids, `$4` the business account. */
export const LOCK_TEMPLATES = `
${SELECT_TEMPLATES}
WHERE t.account_id = $1 AND t.business_account_id = $4 AND (t.name = ANY($2::text[]) OR t.platform_template_id = ANY($3::text[]))
ORDER BY t.id FOR UPDATE OF t`;

export const SAVE_STATES = `
UPDATE templates t SET status = n.status, quality_rating = n.quality, category = n.category,
  rejection_reason = n.rejection, status_changed_at = ${CHANGED}, status_at = n.status_at, updated_at = n.updated_at
FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::timestamptz[])
  AS n (id, status, quality, category, rejection, status_at, updated_at)
WHERE t.id = n.id`;
