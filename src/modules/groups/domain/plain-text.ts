/** Text without control characters (NUL, tab, line breaks …), Unicode line separators and lone surrogates. */
export const PRINTABLE = /^[^\p{Cc}\p{Cs}\u2028\u2029]*$/u;

const UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029]+/gu;

/** Replaces unprintable characters with spaces. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, ' ');
}

/**
 * The error of a single-line text, as the end of a sentence that starts with its field name, or null: it must have
 * 1 to `maxLength` printable characters (Unicode code points), not only spaces.
 */
export function problemOfText(text: unknown, maxLength: number): string | null {
  if (typeof text !== 'string') return 'must be a string';
  if (text.trim() === '') return 'must not be empty';
  if (!PRINTABLE.test(text)) return 'must not contain line breaks, tabs or other control characters';
  // A code point has at most two UTF-16 units, so most texts need not be counted.
  if (text.length > maxLength && (text.length > 2 * maxLength || [...text].length > maxLength)) {
    return `must have at most ${maxLength} characters`;
  }
  return null;
}
