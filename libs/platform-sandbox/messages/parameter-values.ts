import { GraphError, invalidParameter } from '../http/graph-error';
import { isObject, type JsonObject } from '../http/exchange';
import { charactersOf, type Placeholders } from '../templates/shape';
import { missing } from './envelope';

const FORBIDDEN_LINE = /[\n\r\t]/;
const FORBIDDEN_SPACES = / {5}/;

/** Validates the text of a value: not empty, no line breaks or tabs, at most 4 consecutive spaces. */
export function checkedText(value: unknown, place: string): string {
  if (value === undefined || value === null) throw missing(`${place}: text is missing`);
  if (typeof value !== 'string') throw invalidParameter(`Param text of ${place} must be a string.`);
  if (value.trim() === '') throw missing(`${place}: Parameter of type text is missing text value`);
  if (FORBIDDEN_LINE.test(value) || FORBIDDEN_SPACES.test(value)) {
    throw new GraphError(132018, {
      details: `${place}: Param text cannot have new-line/tab characters or more than 4 consecutive spaces`,
    });
  }
  return value;
}

/**
 * The values of a text's placeholders, in order. Their number must match (132000), their type and
 * names must match (132012), and the resulting text must not exceed `limit` (132005).
 */
export function textValues(
  parameters: JsonObject[],
  placeholders: Placeholders,
  named: boolean,
  limit: number,
  place: string,
): string[] {
  const expected = placeholders.names.length;
  if (parameters.length !== expected) throw countMismatch(place, parameters.length, expected);
  const values = named
    ? namedValues(parameters, placeholders.names, place)
    : parameters.map((parameter) => positionalValue(parameter, place));
  let length = placeholders.literalLength;
  values.forEach((value, index) => (length += charactersOf(value) * (placeholders.occurrences[index] ?? 1)));
  if (length > limit) {
    throw new GraphError(132005, { details: `${place}: Translated text too long (${length} > ${limit})` });
  }
  return values;
}

/** Code 132000 with the platform's message. */
export function countMismatch(place: string, actual: number, expected: number): GraphError {
  return new GraphError(132000, {
    details: `${place}: number of localizable_params (${actual}) does not match the expected number of params (${expected})`,
  });
}

/** Code 132012 with the platform's message. */
export function formatMismatch(place: string, expected: string, received: unknown): GraphError {
  const got = typeof received === 'string' && received !== '' ? received.toUpperCase() : 'UNKNOWN';
  return new GraphError(132012, { details: `${place}: Format mismatch, expected ${expected}, received ${got}` });
}

function positionalValue(parameter: JsonObject, place: string): string {
  if (parameter.parameter_name !== undefined) {
    throw new GraphError(132012, { details: `${place}: parameter_name is not allowed in a positional template` });
  }
  return valueOf(parameter, place);
}

function namedValues(parameters: JsonObject[], names: string[], place: string): string[] {
  const given = new Map<string, string>();
  for (const parameter of parameters) {
    const name = parameter.parameter_name;
    if (typeof name !== 'string' || !names.includes(name) || given.has(name)) {
      const problem = typeof name === 'string' ? `${name} is unknown or given twice` : 'parameter_name is missing';
      throw new GraphError(132012, { details: `${place}: ${problem}` });
    }
    given.set(name, valueOf(parameter, place));
  }
  return names.map((name) => given.get(name) ?? '');
}

function valueOf(parameter: JsonObject, place: string): string {
  switch (parameter.type) {
    case 'text':
      return checkedText(parameter.text, place);
    case 'currency': {
      const { currency } = parameter;
      if (!isObject(currency)) throw missing(`${place}: currency is missing`);
      if (typeof currency.code !== 'string' || !/^[A-Z]{3}$/.test(currency.code)) {
        throw new GraphError(132012, { details: `${place}: currency.code must be a code of three letters` });
      }
      if (!Number.isInteger(currency.amount_1000)) {
        throw new GraphError(132012, { details: `${place}: currency.amount_1000 must be an integer` });
      }
      return checkedText(currency.fallback_value, `${place} currency.fallback_value`);
    }
    case 'date_time':
      if (!isObject(parameter.date_time)) throw missing(`${place}: date_time is missing`);
      return checkedText(parameter.date_time.fallback_value, `${place} date_time.fallback_value`);
    default:
      throw formatMismatch(place, 'TEXT', parameter.type);
  }
}
