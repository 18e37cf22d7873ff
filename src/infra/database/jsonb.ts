/**
 * Parses the text of a `jsonb` as PostgreSQL writes it. A list of texts, such as the values of a recipient, is taken apart: V8 keeps each
 * short text of a parsed JSON in a table of the process, for all recipients of a job, until it collects the whole heap.
 */
export function parseJsonb(text: string): unknown {
  return listOfTexts(text) ?? JSON.parse(text);
}

function listOfTexts(text: string): string[] | undefined {
  if (!text.startsWith('["') || !text.endsWith('"]') || text.includes('\\')) return undefined;
  const texts = text.slice(2, -2).split('", "');
  // Whatever is not a text alone leaves a quote.
  return texts.some((one) => one.includes('"')) ? undefined : texts;
}
