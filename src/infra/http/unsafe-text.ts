import type { FieldError } from '../../kernel/domain-error';

/** An unpaired surrogate: UTF-8 cannot encode it, so it would be stored as another character. */
const LONE_SURROGATE = /\p{Cs}/u;

/**
 * The first content of a request that is invalid in every field: the character NUL, which PostgreSQL cannot store in text; an
 * unpaired surrogate; and a field name that every object inherits, which validation would accept as known.
 */
export function findUnsafe(request: unknown): FieldError | null {
  const open: { value: unknown; path: string }[] = [{ value: request, path: '' }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, path } = next;
    if (typeof value === 'string' && isUnsafe(value)) return holdsUnsafe(path);
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, inner] of Object.entries(value)) {
      const innerPath = childPath(path, key, Array.isArray(value));
      if (isUnsafe(key)) return holdsUnsafe(innerPath);
      if (key in Object.prototype) return unknownField(innerPath);
      open.push({ value: inner, path: innerPath });
    }
  }
  return null;
}

/** Path of a field inside another one: `contacts[3].phone`. */
export function childPath(parent: string, key: string, isItem: boolean): string {
  if (isItem) return `${parent}[${key}]`;
  return parent === '' ? key : `${parent}.${key}`;
}

/** The error of an unknown field; `meant` is the path of the known field that it probably stands for. */
export function unknownField(field: string, meant?: string): FieldError {
  const advice = meant === undefined ? 'Remove it.' : `Did you mean ${meant}?`;
  return { field, code: 'unknown_field', message: `${field} is not a field of this request. ${advice}` };
}

function isUnsafe(text: string): boolean {
  return text.includes('\0') || LONE_SURROGATE.test(text);
}

function holdsUnsafe(path: string): FieldError {
  const field = path.replaceAll('\0', '').replace(/\p{Cs}/gu, '\ufffd');
  const message = `${field} contains the character NUL or an unpaired surrogate. Remove it.`;
  return { field, code: 'invalid_characters', message };
}
