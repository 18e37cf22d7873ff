import { buildIndex } from '../../../../infra/database/concurrent-indexes';
import { keysOf } from '../../../../infra/database/schema/search-keys.sql';
import type { Migration } from '../../../../infra/database/migrations';
import { foldedSql } from '../../../../kernel/folded-text';

/**
 * Names are found without their accents. folded_keys has the keys of search_keys for the folded text; the version before uses search_keys and its
 * index.
 */
export const FOLDED_NAMES: Migration = {
  name: '0116-groups-folded-names',
  transaction: false,
  statements: [
    `
CREATE OR REPLACE FUNCTION folded_text(given text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT ${foldedSql('given')}
$$`,
    `
CREATE OR REPLACE FUNCTION folded_keys(account uuid, given text) RETURNS integer[] LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 10000 AS $$
${keysOf(foldedSql('given COLLATE "C"'))}$$`,
    // BY_KEYS (contact-search.sql.ts): contacts by a part of a name.
    ...buildIndex(
      'contacts_by_folded_keys',
      `contacts USING gin (folded_keys(account_id, COALESCE(name, '') || ' ' || COALESCE(username, '')))`,
    ),
  ],
};
