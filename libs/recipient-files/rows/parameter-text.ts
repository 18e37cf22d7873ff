/** Maximum length of a template value, in characters. */
export const PARAMETER_MAX_CHARACTERS = 1_024;

/** Why a value is invalid. */
export type ParameterError = 'parameter_too_long' | 'parameter_invalid_characters';

/** A valid value; `collapsed`: whether spaces in it were changed. */
export interface ParameterText {
  text: string;
  collapsed: boolean;
}

const WHITESPACE_RUN = /[ \t\r\n\u2028\u2029]{2,}|[\t\r\n\u2028\u2029]/g;
const ONLY_SPACES = /^ {1,4}$/;
// Cs matches only lone surrogates.
const UNSENDABLE = /[\x00-\x1f\x7f-\x9f]|\p{Cs}/u;
const SURROGATE_PAIR = /[\ud800-\udbff][\udc00-\udfff]/g;
const NEEDS_CLEANUP = /[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]| {5}/;

/**
 * Converts the text of a cell to a template value: trimmed, with line breaks, tabs
 * and more than 4 consecutive spaces, which the platform rejects, replaced by one space. Other control characters and invalid Unicode are errors.
 */
export function readParameter(cell: string): ParameterText | ParameterError {
  const trimmed = cell.trim();
  if (!NEEDS_CLEANUP.test(trimmed))
    return isTooLong(trimmed) ? 'parameter_too_long' : { text: trimmed, collapsed: false };
  const text = trimmed.replace(WHITESPACE_RUN, (run) => (ONLY_SPACES.test(run) ? run : ' '));
  if (UNSENDABLE.test(text)) return 'parameter_invalid_characters';
  return isTooLong(text) ? 'parameter_too_long' : { text, collapsed: text !== trimmed };
}

/** Readable text: no control characters, no invalid Unicode, at most `maxCharacters` UTF-16 units. */
export function printable(text: string, maxCharacters: number): string {
  return text
    .slice(0, maxCharacters)
    .replace(/[\x00-\x1f\x7f-\x9f]/g, ' ')
    .replace(/\p{Cs}/gu, '\ufffd')
    .trim();
}

function isTooLong(text: string): boolean {
  // An emoji is one character but two UTF-16 units.
  return text.length > PARAMETER_MAX_CHARACTERS && text.replace(SURROGATE_PAIR, '.').length > PARAMETER_MAX_CHARACTERS;
}
