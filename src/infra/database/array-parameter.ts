/** The range in which ISO 8601 and PostgreSQL format years identically. */
const FIRST_TIME = Date.UTC(1000, 0);
const LAST_TIME = Date.UTC(9999, 11, 31);

/**
 * Formats a list as a PostgreSQL array literal. Returns the list itself, for the driver to format, if a string needs an escape or an
 * element is not a string, finite number, date or null. The literal takes a fraction of the driver's time and memory. Dates are in
 * UTC, for `timestamptz[]`.
 */
export function arrayParameter(list: readonly unknown[]): string | readonly unknown[] {
  if (!list.every(isPlain)) return list;
  const json = JSON.stringify(list);
  // JSON and PostgreSQL escape differently.
  return json.includes('\\') ? list : `{${json.slice(1, -1)}}`;
}

function isPlain(value: unknown): boolean {
  if (typeof value === 'string' || value === null) return true;
  return value instanceof Date ? value.getTime() >= FIRST_TIME && value.getTime() <= LAST_TIME : Number.isFinite(value);
}
