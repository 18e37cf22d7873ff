/** Codes of values that are invalid in every template. */
export const VALUE_CODES = ['empty', 'line_break', 'tab', 'too_many_spaces', 'invalid_characters'] as const;

/** Why a value is invalid in every template. */
export interface ValueError {
  code: (typeof VALUE_CODES)[number];
  message: string;
}

const RULES: readonly (ValueError & { pattern: RegExp })[] = [
  { code: 'empty', pattern: /^\s*$/u, message: 'is empty: the platform does not accept empty values.' },
  {
    code: 'line_break',
    pattern: /[\n\r]/u,
    message: 'contains a line break: the platform does not accept line breaks in values.',
  },
  { code: 'tab', pattern: /\t/u, message: 'contains a tab: the platform does not accept tabs in values.' },
  { code: 'too_many_spaces', pattern: / {5}/u, message: 'contains more than 4 consecutive spaces.' },
  {
    code: 'invalid_characters',
    pattern: /[\p{Cc}\p{Cs}]/u,
    message: 'contains a control character or an unpaired surrogate.',
  },
];

/** Matches every invalid value, so that most valid ones need a single test. */
const SUSPICIOUS = /[\x00-\x1f\x7f-\x9f\ud800-\udfff]| {5}|^\s*$/;

/** The first error of a value by the platform's rules for parameters (its error 132018), or null if it is valid. */
export function errorOfValue(text: string): ValueError | null {
  if (!SUSPICIOUS.test(text)) return null;
  const error = RULES.find(({ pattern }) => pattern.test(text));
  return error ? { code: error.code, message: error.message } : null;
}
