import type { FieldError } from '../../kernel/domain-error';
import { childPath } from './unsafe-text';

/** How much a JSON body of a route may hold. */
export interface JsonLimits {
  /** Size of the body in bytes. */
  maxBytes: number;
  /** Values in it: objects, lists and everything inside them. */
  maxValues: number;
}

/** Deeper nesting would exhaust the stack of what reads the body later. */
const MAX_DEPTH = 32;
/** Items of one list. */
const MAX_ITEMS = 1_000;

/**
 * The first error of a parsed body that holds too much: too many items in a list, too many values altogether, or nesting that is
 * too deep; null if it is within the limits. Validation costs time for each value, so this runs before it, and itself looks at no
 * more than `maxValues` values.
 */
export function findExcess(body: unknown, maxValues: number): FieldError | null {
  const open: { value: object; path: string; depth: number }[] = [];
  const visit = (value: unknown, path: string, depth: number): void => {
    if (typeof value === 'object' && value !== null) open.push({ value, path, depth });
  };
  visit(body, '', 0);
  let left = maxValues;
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, path, depth } = next;
    const field = path || 'body';
    if (depth === MAX_DEPTH) {
      return { field, code: 'too_deep', message: `${field} is nested too deeply. Send at most ${MAX_DEPTH} levels.` };
    }
    const isList = Array.isArray(value);
    if (isList && value.length > MAX_ITEMS) {
      return { field, code: 'too_many', message: `${field} may have at most ${MAX_ITEMS} items.` };
    }
    const entries = Object.entries(value);
    left -= entries.length;
    if (left < 0) {
      return {
        field: 'body',
        code: 'too_many',
        message: `The body may contain at most ${maxValues} values. Send fewer.`,
      };
    }
    for (const [key, inner] of entries) visit(inner, childPath(path, key, isList), depth + 1);
  }
  return null;
}
