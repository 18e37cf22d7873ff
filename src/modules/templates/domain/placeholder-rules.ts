import type { FieldFaults } from './field-faults';
import type { ParameterFormat } from './template-components';
import { faultOfValue } from './value-fault';

const WHOLE = /\{\{([^{}]*)\}\}/g;
const BRACES = /\{\{|\}\}/;
const THREE_BRACES = /\{{3}|\}{3}/;
const ADJACENT = /\}\}\s*\{\{/;
const AT_AN_EDGE = /^\s*\{\{|\}\}\s*$/;
const WORD = /[\p{L}\p{N}]+/gu;
const FORMS: Record<ParameterFormat, RegExp> = { Positional: /^[1-9]\d*$/, Named: /^[a-z][a-z0-9_]*$/ };
/** Far above what any text of a template has room for. */
const LARGEST_NUMBER = 999;

/** Characters as people count them: half of a character that needs two units is none. */
export function lengthOf(text: string): number {
  return [...text].length;
}

/** The text of one line or more: there at all, not too long, without control characters; notes what is wrong with it. */
export function checkText(
  faults: FieldFaults,
  field: string,
  text: string | undefined,
  { longest, lines }: { longest: number; lines: 'one' | 'many' },
): void {
  if (text === undefined || text.trim() === '') return faults.add(field, 'required', 'is required.');
  if (lengthOf(text) > longest) {
    return faults.add(field, 'too_long', `has ${lengthOf(text)} characters. The platform takes at most ${longest}.`);
  }
  if (lines === 'one' && /[\n\r]/.test(text)) return faults.add(field, 'line_break', 'must be one line.');
  if (/\p{Cc}/u.test(text.replace(/[\n\r]/g, ''))) {
    faults.add(field, 'invalid_characters', 'holds a control character. Remove it.');
  }
}

/** The placeholders of a text, each once, or null where something is wrong with one of them, which is noted. */
export function checkPlaceholders(
  faults: FieldFaults,
  field: string,
  text: string,
  format: ParameterFormat,
): string[] | null {
  const fault = (code: string, rest: string): null => (faults.add(field, code, rest), null);
  if (BRACES.test(text.replace(WHOLE, '')) || THREE_BRACES.test(text)) {
    return fault(
      'braces_unbalanced',
      'has braces that do not match. A placeholder is written {{1}} or {{first_name}}.',
    );
  }
  const found = [...text.matchAll(WHOLE)].map(([, name = '']) => name);
  const wrong = found.find((name) => !FORMS[format].test(name));
  if (wrong !== undefined) {
    const form =
      format === 'Positional'
        ? 'Number the placeholders {{1}}, {{2}}, …, or set parameterFormat to Named.'
        : 'Names begin with a lower case letter, then come lower case letters, digits and underscores.';
    return fault('placeholder_invalid', `has the placeholder {{${wrong.slice(0, 50)}}}. ${form}`);
  }
  const distinct = [...new Set(found)];
  if (format === 'Named' && distinct.length < found.length) {
    return fault('placeholder_repeated', 'has a name twice. Give each placeholder a name of its own.');
  }
  if (format === 'Positional' && !isSequence(distinct)) {
    return fault('placeholders_not_sequential', 'must number its placeholders {{1}}, {{2}}, … without a gap.');
  }
  if (ADJACENT.test(text)) {
    return fault('placeholders_adjacent', 'has two placeholders side by side. Put words between them.');
  }
  return distinct;
}

/** How a body with these placeholders must read around them. */
export function checkBalance(faults: FieldFaults, field: string, text: string, placeholders: readonly string[]): void {
  if (AT_AN_EDGE.test(text)) {
    return faults.add(field, 'placeholder_at_edge', 'begins or ends with a placeholder. Put words around it.');
  }
  const words = text.replace(WHOLE, ' ').match(WORD)?.length ?? 0;
  if (words < placeholders.length) {
    faults.add(
      field,
      'too_many_placeholders',
      'has too many placeholders for its length. Add words or take some away.',
    );
  }
}

/** Exactly one example for each placeholder, each a value that could be sent. */
export function checkExamples(
  faults: FieldFaults,
  field: string,
  examples: unknown,
  placeholders: readonly string[],
  format: ParameterFormat,
): void {
  if (placeholders.length === 0) {
    const isEmpty = examples === undefined || JSON.stringify(examples) === '[]' || JSON.stringify(examples) === '{}';
    if (!isEmpty) faults.add(field, 'examples_mismatch', 'has examples, but the text has no placeholder.');
    return;
  }
  if (examples === undefined) {
    return faults.add(field, 'required', `is required: ${wanted(placeholders, format)}.`);
  }
  const values = format === 'Positional' ? listed(examples, placeholders) : named(examples, placeholders);
  if (!values) return faults.add(field, 'examples_mismatch', `must be ${wanted(placeholders, format)}.`);
  for (const [key, value] of values) {
    const fault = faultOfValue(value);
    if (fault) faults.add(`${field}${key}`, fault.code, fault.message);
  }
}

function isSequence(numbers: readonly string[]): boolean {
  return numbers.every((number) => Number(number) <= Math.min(numbers.length, LARGEST_NUMBER));
}

function wanted(placeholders: readonly string[], format: ParameterFormat): string {
  return format === 'Positional'
    ? `a list with ${placeholders.length} ${placeholders.length === 1 ? 'text' : 'texts'}, one for each placeholder`
    : `an object with a text for each of ${placeholders.join(', ')}`;
}

function listed(examples: unknown, placeholders: readonly string[]): [string, string][] | null {
  if (!Array.isArray(examples) || examples.length !== placeholders.length) return null;
  const texts = examples.filter((example): example is string => typeof example === 'string');
  return texts.length === examples.length ? texts.map((text, index) => [`[${index}]`, text]) : null;
}

function named(examples: unknown, placeholders: readonly string[]): [string, string][] | null {
  if (typeof examples !== 'object' || examples === null || Array.isArray(examples)) return null;
  const entries = Object.entries(examples).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  const complete = placeholders.every((name) => entries.some(([key]) => key === name));
  if (!complete || Object.keys(examples).length !== placeholders.length) return null;
  return entries.map(([key, text]) => [`.${key}`, text]);
}
