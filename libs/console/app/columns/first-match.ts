/** The first match of a pattern in any of the texts; null: there is none. */
export function firstMatch(pattern: RegExp, texts: readonly string[]): RegExpExecArray | null {
  for (const text of texts) {
    const match = pattern.exec(text);
    if (match) return match;
  }
  return null;
}
