/** Text without control characters (NUL, tab, line breaks …), Unicode line separators and halves of surrogate pairs. */
export const PRINTABLE = /^[^\p{Cc}\p{Cs}\u2028\u2029]*$/u;

const UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029]+/gu;

/** The text with a space in place of all that is not printable. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, ' ');
}

/**
 * What is wrong with a text of one line, as the end of a sentence that starts with its field's name, or null: it holds
 * 1 to `maxLength` characters (Unicode code points) that are not all blank, and nothing unprintable.
 */
export function problemOfText(text: unknown, maxLength: number): string | null {
  if (typeof text !== 'string') return 'must be a string';
  if (text.trim() === '') return 'must not be empty';
  if (!PRINTABLE.test(text)) return 'must not contain line breaks, tabs or other control characters';
  // A code point takes at most two units, so most texts need no count.
  if (text.length > maxLength && (text.length > 2 * maxLength || [...text].length > maxLength)) {
    return `must have at most ${maxLength} characters`;
  }
  return null;
}
