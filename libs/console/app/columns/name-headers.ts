/** Headers and placeholders of first names, as `plainHeader` writes them. */
export const FIRST_NAMES: ReadonlySet<string> = new Set(['firstname', 'vorname']);

/** Those of last names. */
export const LAST_NAMES: ReadonlySet<string> = new Set([
  'lastname',
  'surname',
  'familyname',
  'nachname',
  'familienname',
]);

/** Those of whole names. */
export const NAMES: ReadonlySet<string> = new Set([
  ...['name', 'fullname', 'contactname', 'customername', 'customer', 'kunde', 'kundenname'],
]);

/** A header or the name of a placeholder without case, spaces and punctuation. */
export function plainHeader(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}
