/** Whether `search_keys` (schema/search-keys.sql.ts) has keys of a part of a text; without keys its index finds nothing. */
export function hasSearchKeys(part: string): boolean {
  return /[\0-\x7f]{3}/.test(part);
}

/**
 * The text to look up in an index of keys for a text that contains all words; null: it has no keys. A long word with four digits in a row is
 * rare, and found in a third of the time without the long lists of the other words.
 */
export function textToLookUp(words: readonly string[]): string | null {
  const rare = words.filter((word) => /\d{4}/.test(word));
  // No key has the character between the words, which may be in any order.
  const [text = words.join('·')] = rare.sort((one, other) => other.length - one.length);
  return hasSearchKeys(text) ? text : null;
}
