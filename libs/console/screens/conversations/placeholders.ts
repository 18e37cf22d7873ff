const NAMES = /\{\{\s*name\s*\}\}/giu;
const FIRST_NAMES = /\{\{\s*first_name\s*\}\}/giu;
const ANY = /\{\{\s*[\p{L}\p{N}_]+\s*\}\}/u;

/** A quick reply with the person's name, or its first word, in place of `{{name}}` and `{{first_name}}`, which stay if no name is known. */
export function withName(text: string, name: string | null): string {
  if (name === null || !/\p{L}/u.test(name)) return text;
  return text.replace(NAMES, () => name).replace(FIRST_NAMES, () => name.trim().split(/\s/)[0]!);
}

/** Start and end of the first placeholder in a text; null: it has none. */
export function placeholderIn(text: string): [start: number, end: number] | null {
  const found = ANY.exec(text);
  return found && [found.index, found.index + found[0].length];
}
