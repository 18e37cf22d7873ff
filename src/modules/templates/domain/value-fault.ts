/** Why a value cannot be filled into any template. */
export interface ValueFault {
  code: 'empty' | 'line_break' | 'tab' | 'too_many_spaces' | 'invalid_characters';
  message: string;
}

const FAULTS: readonly (ValueFault & { pattern: RegExp })[] = [
  { code: 'empty', pattern: /^\s*$/u, message: 'is empty: the platform takes no empty values.' },
  { code: 'line_break', pattern: /[\n\r]/u, message: 'holds a line break: the platform takes none in a value.' },
  { code: 'tab', pattern: /\t/u, message: 'holds a tab: the platform takes none in a value.' },
  { code: 'too_many_spaces', pattern: / {5}/u, message: 'holds more than 4 spaces in a row.' },
  {
    code: 'invalid_characters',
    pattern: /[\p{Cc}\p{Cs}]/u,
    message: 'holds a control character or half of a character that needs two units.',
  },
];

/** The first fault of a value by the platform's rules for parameters (its error 132018), or null for one that can be sent. */
export function faultOfValue(text: string): ValueFault | null {
  const fault = FAULTS.find(({ pattern }) => pattern.test(text));
  return fault ? { code: fault.code, message: fault.message } : null;
}
