/** Whether `search_keys` (schema/search-keys.sql.ts) has keys of a part of a text; without keys its index finds nothing. */
export function hasSearchKeys(part: string): boolean {
  return /[\0-\x7f]{3}/.test(part);
}
