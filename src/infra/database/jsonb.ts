/**
 * Parses the text of a `jsonb` as PostgreSQL writes it. Splits a list of strings, such as the values of a recipient: JSON.parse interns
 * every short string, and V8 clears that table only in a full collection. A longer string of such a list keeps the whole text alive.
 */
export function parseJsonb(text: string): unknown {
  return parseStringList(text) ?? JSON.parse(text);
}

function parseStringList(text: string): string[] | undefined {
  if (!text.startsWith('["') || !text.endsWith('"]') || text.includes('\\')) return undefined;
  const texts = text.slice(2, -2).split('", "');
  // Any element that is not a plain string leaves a quote in its part.
  return texts.some((one) => one.includes('"')) ? undefined : texts;
}
