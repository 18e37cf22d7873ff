import type { BodyDraft } from './template-draft';
import type { FieldCode } from '../../../kernel/field-problems';
import type { FieldErrors } from './field-errors';
import type { ParameterFormat } from './template-components';
import { errorOfValue } from './value-error';

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;
const BRACES = /\{\{|\}\}/;
const THREE_BRACES = /\{{3}|\}{3}/;
const ADJACENT = /\}\}\s*\{\{/;
const AT_EDGE = /^\s*\{\{|\}\}\s*$/;
const WORD = /[\p{L}\p{N}]+/gu;
const FORMS: Record<ParameterFormat, RegExp> = { Positional: /^[1-9]\d*$/, Named: /^[a-z][a-z0-9_]*$/ };
/** More than any text of a template can contain. */
const MAX_NUMBER = 999;

/** The number of Unicode code points. */
export function lengthOf(text: string): number {
  return [...text].length;
}

/** Checks a text: not empty, not too long, no control characters, no line break if it must be one line. */
export function checkText(
  errors: FieldErrors,
  field: string,
  text: string | undefined,
  { maxLength, lines }: { maxLength: number; lines: 'one' | 'many' },
): void {
  if (text === undefined || text.trim() === '') return errors.add(field, 'required', 'is required.');
  if (lengthOf(text) > maxLength) {
    return errors.add(
      field,
      'too_long',
      `has ${lengthOf(text)} characters. The platform accepts at most ${maxLength}.`,
    );
  }
  if (lines === 'one' && /[\n\r]/.test(text)) return errors.add(field, 'line_break', 'must be one line.');
  if (/\p{Cc}/u.test(text.replace(/[\n\r]/g, ''))) {
    errors.add(field, 'invalid_characters', 'contains a control character. Remove it.');
  }
}

/** The distinct placeholders of a text; if one is invalid, adds an error and returns null. */
export function checkPlaceholders(
  errors: FieldErrors,
  field: string,
  text: string,
  format: ParameterFormat,
): string[] | null {
  const error = (code: FieldCode, rest: string): null => (errors.add(field, code, rest), null);
  if (BRACES.test(text.replace(PLACEHOLDER, '')) || THREE_BRACES.test(text)) {
    return error('braces_unbalanced', 'has unbalanced braces. Write placeholders as {{1}} or {{first_name}}.');
  }
  const found = [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
  const wrong = found.find((name) => !FORMS[format].test(name));
  if (wrong !== undefined) {
    const form =
      format === 'Positional'
        ? 'Number the placeholders {{1}}, {{2}}, …, or set parameterFormat to Named.'
        : 'Names begin with a lower case letter, followed by lower case letters, digits and underscores.';
    return error('placeholder_invalid', `has the placeholder {{${wrong.slice(0, 50)}}}. ${form}`);
  }
  const distinct = [...new Set(found)];
  if (format === 'Named' && distinct.length < found.length) {
    return error('placeholder_repeated', 'uses a name twice. Give each placeholder a unique name.');
  }
  if (format === 'Positional' && !isSequence(distinct)) {
    return error('placeholders_not_sequential', 'must number its placeholders {{1}}, {{2}}, … without a gap.');
  }
  if (ADJACENT.test(text)) {
    return error('placeholders_adjacent', 'has two adjacent placeholders. Put words between them.');
  }
  return distinct;
}

/** Checks the text around the placeholders of a body. */
function checkBalance(errors: FieldErrors, field: string, text: string, placeholders: readonly string[]): void {
  if (AT_EDGE.test(text)) {
    return errors.add(field, 'placeholder_at_edge', 'begins or ends with a placeholder. Put words around it.');
  }
  const words = text.replace(PLACEHOLDER, ' ').match(WORD)?.length ?? 0;
  if (words < placeholders.length) {
    errors.add(
      field,
      'too_many_placeholders',
      'has too many placeholders for its length. Add words or remove placeholders.',
    );
  }
}

/** Checks that there is exactly one valid example per placeholder. */
function checkExamples(
  errors: FieldErrors,
  field: string,
  examples: unknown,
  placeholders: readonly string[],
  format: ParameterFormat,
): void {
  if (placeholders.length === 0) {
    const isEmpty = examples === undefined || JSON.stringify(examples) === '[]' || JSON.stringify(examples) === '{}';
    if (!isEmpty) errors.add(field, 'examples_mismatch', 'has examples, but the text has no placeholder.');
    return;
  }
  if (examples === undefined) {
    return errors.add(field, 'required', `is required: ${expectedExamples(placeholders, format)}.`);
  }
  const values =
    format === 'Positional' ? positionalExamples(examples, placeholders) : namedExamples(examples, placeholders);
  if (!values) return errors.add(field, 'examples_mismatch', `must be ${expectedExamples(placeholders, format)}.`);
  for (const [key, value] of values) {
    const error = errorOfValue(value);
    if (error) errors.add(`${field}${key}`, error.code, error.message);
  }
}

function isSequence(numbers: readonly string[]): boolean {
  return numbers.every((number) => Number(number) <= Math.min(numbers.length, MAX_NUMBER));
}

function expectedExamples(placeholders: readonly string[], format: ParameterFormat): string {
  return format === 'Positional'
    ? `a list with ${placeholders.length} ${placeholders.length === 1 ? 'text' : 'texts'}, one for each placeholder`
    : `an object with a text for each of ${placeholders.join(', ')}`;
}

function positionalExamples(examples: unknown, placeholders: readonly string[]): [string, string][] | null {
  if (!Array.isArray(examples) || examples.length !== placeholders.length) return null;
  const texts = examples.filter((example): example is string => typeof example === 'string');
  return texts.length === examples.length ? texts.map((text, index) => [`[${index}]`, text]) : null;
}

function namedExamples(examples: unknown, placeholders: readonly string[]): [string, string][] | null {
  if (typeof examples !== 'object' || examples === null || Array.isArray(examples)) return null;
  const entries = Object.entries(examples).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  const complete = placeholders.every((name) => entries.some(([key]) => key === name));
  if (!complete || Object.keys(examples).length !== placeholders.length) return null;
  return entries.map(([key, text]) => [`.${key}`, text]);
}

/** Checks a body: its text of at most `maxLength` characters, its placeholders and their examples. */
export function checkBody(
  errors: FieldErrors,
  field: string,
  { text, examples }: BodyDraft,
  parameterFormat: ParameterFormat,
  maxLength: number,
): void {
  checkText(errors, `${field}.text`, text, { maxLength, lines: 'many' });
  if (errors.has(`${field}.text`)) return;
  const placeholders = checkPlaceholders(errors, `${field}.text`, text, parameterFormat);
  if (!placeholders) return;
  checkBalance(errors, `${field}.text`, text, placeholders);
  checkExamples(errors, `${field}.examples`, examples ?? undefined, placeholders, parameterFormat);
}
