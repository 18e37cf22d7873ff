/**
 * Parses the text of a `jsonb` as PostgreSQL writes it. A list of strings, such as the values of a recipient, is split: JSON.parse puts each
 * short string into a table of the process, for all recipients of a job, which V8 clears only with the whole heap. A longer string of
 * such a list keeps the whole text alive.
 */
export function parseJsonb(text: string): unknown {
  return listOfTexts(text) ?? JSON.parse(text);
}

function listOfTexts(text: string): string[] | undefined {
  if (!text.startsWith('["') || !text.endsWith('"]') || text.includes('\\')) return undefined;
  const texts = text.slice(2, -2).split('", "');
  // Any element that is not a plain string leaves a quote in its part.
  return texts.some((one) => one.includes('"')) ? undefined : texts;
}
