import { createHash } from 'node:crypto';

/** SHA-256 of a JSON value; independent of the order of fields. */
export function jsonFingerprint(value: unknown): Buffer {
  return createHash('sha256').update(JSON.stringify(value, sortFields)).digest();
}

function sortFields(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
