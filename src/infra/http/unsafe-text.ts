import type { FieldFault } from '../../kernel/domain-error';

const DEEPEST = 32;
/** Half of a character that needs two units: UTF-8 has no bytes for it, so it would come out as another one. */
const LONE_SURROGATE = /\p{Cs}/u;

/**
 * The first thing in a request that no field can take, wherever it stands: nesting that would exhaust the stack of the
 * validation; the character NUL, which PostgreSQL stores in no text; half a character; and a name that every object inherits,
 * which the validation takes for a known one.
 */
export function findUnsafe(request: unknown): FieldFault | null {
  const open: { value: unknown; path: string; depth: number }[] = [{ value: request, path: '', depth: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, path, depth } = next;
    if (typeof value === 'string' && isUnsafe(value)) return holdsUnsafe(path);
    if (typeof value !== 'object' || value === null) continue;
    if (depth === DEEPEST) {
      return {
        field: path,
        code: 'too_deep',
        message: `${path} is nested too deeply. Send at most ${DEEPEST} levels.`,
      };
    }
    for (const [key, inner] of Object.entries(value)) {
      const innerPath = childPath(path, key, Array.isArray(value));
      if (isUnsafe(key)) return holdsUnsafe(innerPath);
      if (key in Object.prototype) return unknownField(innerPath);
      open.push({ value: inner, path: innerPath, depth: depth + 1 });
    }
  }
  return null;
}

/** Path of a field inside another one: `contacts[3].phone`. */
export function childPath(parent: string, key: string, isItem: boolean): string {
  if (isItem) return `${parent}[${key}]`;
  return parent === '' ? key : `${parent}.${key}`;
}

/** The fault of a field that the request has and should not. */
export function unknownField(field: string): FieldFault {
  return { field, code: 'unknown_field', message: `${field} is not a field of this request. Remove it.` };
}

function isUnsafe(text: string): boolean {
  return text.includes('\0') || LONE_SURROGATE.test(text);
}

function holdsUnsafe(path: string): FieldFault {
  const field = path.replaceAll('\0', '').replace(/\p{Cs}/gu, '\ufffd');
  const message = `${field} holds the character NUL or half of a character that needs two units. Remove it.`;
  return { field, code: 'invalid_characters', message };
}
