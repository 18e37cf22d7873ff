import type { FieldError } from '../../../kernel/domain-error';
import { MAX_ERRORS } from '../../../kernel/request.errors';

/** An unpaired surrogate, which UTF-8 cannot encode: it would be stored as another character. */
const LONE_SURROGATE = /\p{Cs}/u;

/** Fields with objects whose names the client chooses. */
const FIELDS_WITH_ANY_NAMES = new Set<string>();

/** Lets clients choose the names inside the fields with this name. */
export function allowAnyNames(field: string): void {
  FIELDS_WITH_ANY_NAMES.add(field);
}

/**
 * Returns the errors of content that is invalid in any field, in field order, at most 100: the character NUL, which PostgreSQL cannot
 * store in text; an unpaired surrogate; a field name that every object inherits, which validation would accept as known. The nesting of
 * `value` must be limited.
 */
export function findUnsafe(value: unknown): FieldError[] {
  const found: FieldError[] = [];
  addUnsafe(found, value, () => '', false);
  return found;
}

function addUnsafe(found: FieldError[], value: unknown, path: () => string, anyNames: boolean): void {
  if (typeof value === 'string' && isUnsafe(value)) found.push(unsafeTextError(path()));
  if (typeof value !== 'object' || value === null) return;
  const isList = Array.isArray(value);
  for (const key of Object.keys(value)) {
    if (found.length >= MAX_ERRORS) return;
    const innerPath = () => childPath(path(), key, isList);
    if (!isList && isUnsafe(key)) found.push(unsafeTextError(innerPath()));
    else if (!isList && !anyNames && key in Object.prototype) found.push(unknownField(innerPath()));
    else {
      const inner = (value as Record<string, unknown>)[key];
      addUnsafe(found, inner, innerPath, anyNames || FIELDS_WITH_ANY_NAMES.has(key));
    }
  }
}

/** Path of a nested field: `contacts[3].phone`. */
export function childPath(parent: string, key: string, isItem: boolean): string {
  if (isItem) return `${parent}[${key}]`;
  return parent === '' ? key : `${parent}.${key}`;
}

/** The error of an unknown field; `suggestion` is the path of the field that was probably meant. */
export function unknownField(field: string, suggestion?: string): FieldError {
  const advice = suggestion === undefined ? 'Remove it.' : `Did you mean ${suggestion}?`;
  return { field, code: 'unknown_field', message: `${field} is not a field of this request. ${advice}` };
}

function isUnsafe(text: string): boolean {
  return text.includes('\0') || LONE_SURROGATE.test(text);
}

function unsafeTextError(path: string): FieldError {
  const field = path.replaceAll('\0', '').replace(/\p{Cs}/gu, '\ufffd');
  const message = `${field} contains the character NUL or an unpaired surrogate. Remove it.`;
  return { field, code: 'invalid_characters', message };
}
