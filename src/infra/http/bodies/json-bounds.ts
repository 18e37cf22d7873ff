import type { FieldError } from '../../../kernel/domain-error';
import { childPath } from './unsafe-text';

/** Limits of a JSON body. */
export interface JsonLimits {
  /** Size of the body in bytes. */
  maxBytes: number;
  /** Number of values: objects, lists and everything inside them. */
  maxValues: number;
  /** Items of one list; default 1,000. */
  maxItems?: number;
}

/** Limits of a route that declares none: several times the longest template or message. */
export const DEFAULT_LIMITS: JsonLimits = { maxBytes: 64 * 1024, maxValues: 2_000 };

/** Deeper nesting would exhaust the stack of later code. */
const MAX_DEPTH = 32;
/** Items of one list. */
const MAX_ITEMS = 1_000;
/** Fields of one object: validation compares each field with all others. */
const MAX_FIELDS = 1_000;
/** Nesting that is parsed, to report which field is too deep. */
const MAX_PARSED_DEPTH = 50_000;
/** So many values are parsed in any case, to report which list is too long. */
const PARSED_VALUES = 100_000;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Returns an error for the text of a body that would take too long to parse: too many values, objects of too many fields or far too deep
 * nesting; null if it can be parsed.
 */
export function findUnparsable(bytes: Buffer, { maxValues }: Pick<JsonLimits, 'maxValues'>): FieldError | null {
  // Number of commas of each open object; lists count less than any object can have.
  const commas: number[] = [];
  const most = Math.max(maxValues, PARSED_VALUES);
  let values = 0;
  let containers = 0;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]!;
    if (byte === QUOTE) index = endOfText(bytes, index + 1);
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      commas.push(byte === OPEN_OBJECT ? 0 : -Infinity);
      if (commas.length > MAX_PARSED_DEPTH) return tooDeep('body');
      if (++containers > most + 1) return tooManyValues(maxValues);
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) commas.pop();
    else if (byte === COMMA) {
      if (++values > most) return tooManyValues(maxValues);
      if (++commas[commas.length - 1]! >= MAX_FIELDS) {
        return { field: 'body', code: 'too_many', message: `An object may have at most ${MAX_FIELDS} fields.` };
      }
    }
  }
  return null;
}

/** The position of the quotation mark that ends a text whose first byte is at `start`; the end of the bytes without one. */
function endOfText(bytes: Buffer, start: number): number {
  const quote = bytes.indexOf(QUOTE, start);
  if (quote < 0) return bytes.length;
  // Most texts have no escapes, and a native search is several times faster than this loop.
  if (bytes[quote - 1] !== BACKSLASH) return quote;
  let index = start;
  while (index < bytes.length && bytes[index] !== QUOTE) index += bytes[index] === BACKSLASH ? 2 : 1;
  return index;
}

function tooDeep(field: string): FieldError {
  return {
    field,
    code: 'too_deep',
    message: `${field} is nested too deeply. Send at most ${MAX_DEPTH} levels.`,
  };
}

function tooManyValues(maxValues: number): FieldError {
  return {
    field: 'body',
    code: 'too_many',
    message: `The body may contain at most ${maxValues} values. Send fewer.`,
  };
}

/**
 * Returns the first error of a parsed body with too many list items, too many values in total or too deep nesting; null if it is
 * within the limits. Runs before validation, which costs time per value, and visits at most `maxValues` values.
 */
export function findExcess(
  body: unknown,
  { maxValues, maxItems = MAX_ITEMS }: Omit<JsonLimits, 'maxBytes'>,
): FieldError | null {
  let left = maxValues;
  const visit = (value: unknown, path: () => string, depth: number): FieldError | null => {
    if (typeof value !== 'object' || value === null) return null;
    if (depth === MAX_DEPTH) return tooDeep(path() || 'body');
    const isList = Array.isArray(value);
    if (isList && value.length > maxItems) {
      const field = path() || 'body';
      return { field, code: 'too_many', message: `${field} may have at most ${maxItems} items.` };
    }
    const keys = Object.keys(value);
    left -= keys.length;
    if (left < 0) return tooManyValues(maxValues);
    for (const key of keys) {
      const inner = (value as Record<string, unknown>)[key];
      const excess = visit(inner, () => childPath(path(), key, isList), depth + 1);
      if (excess) return excess;
    }
    return null;
  };
  return visit(body, () => '', 0);
}
