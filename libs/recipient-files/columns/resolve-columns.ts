import leven from 'leven';
import { DEFAULT_LIMITS } from '../file-limits';
import { FileRefused } from '../file-refused';
import type { ColumnSources, ResolvedColumns } from '../recipient-file';
import { columnName } from '../rows/row-messages';

const LETTERS = /^[A-Z]{1,2}$/;
/** Longer texts are unlikely to be typos and slow to compare. */
const MAX_COMPARED = 64;

/** Whether a source can only be a header, so that the file must have a header row. */
export function needsHeader(columns: ColumnSources): boolean {
  return sourcesOf(columns).some(({ source }) => columnOfLetters(source.trim()) === undefined);
}

/**
 * Finds the columns by their header (exact, then ignoring case and spacing), then by their letters. Throws FileRefused for a source
 * that names no column or several. `headers`: the header row; undefined: the file has none.
 */
export function resolveColumns(columns: ColumnSources, headers: readonly string[] | undefined): ResolvedColumns {
  const keys = headers?.map(headerKey) ?? [];
  const located = sourcesOf(columns).map(({ place, source }) => {
    return { place, source, column: columnOf(place, source.trim(), headers, keys) };
  });
  const missing = located.filter(({ column }) => column === undefined);
  if (missing.length > 0) throw notFound(missing, headers);
  const [phone, ...found] = located.map(({ place, column }) => ({ field: place, column: column! }));
  const filled = found.splice(0, columns.values.filter(Boolean).length);
  return {
    phone: phone!.column,
    values: columns.values.map((source) => (source ? filled.shift()!.column : -1)),
    extras: found,
  };
}

/** The phone, then the values, then the rest. */
function sourcesOf({ phone, values, quickReplyPayloads = {}, ...rest }: ColumnSources) {
  const places: [string, unknown][] = [
    ['phone', phone],
    ...values.map((source, index): [string, string] => [`values[${index}]`, source]),
    ...Object.entries(rest),
    ...Object.entries(quickReplyPayloads).map(([button, source]): [string, string] => [
      `quickReplyPayloads.${button}`,
      source,
    ]),
  ];
  // Neither a column that is absent nor the list of defaults.
  return places.flatMap(([place, source]) => (typeof source === 'string' && source ? [{ place, source }] : []));
}

/** Undefined: there is none. Throws FileRefused for several. */
function columnOf(
  place: string,
  source: string,
  headers: readonly string[] | undefined,
  keys: readonly string[],
): number | undefined {
  const exact = indicesOf(headers ?? [], source);
  const found = exact.length > 0 ? exact : indicesOf(keys, headerKey(source));
  if (found.length === 1) return found[0]!;
  if (found.length > 1) throw ambiguous(place, source, found, headers ?? []);
  const letters = columnOfLetters(source);
  // Two letters beyond the header row are a missing header such as "DE" rather than a column.
  if (letters !== undefined && (headers === undefined || source.length === 1 || letters < headers.length)) {
    return letters;
  }
  return undefined;
}

function indicesOf(texts: readonly string[], text: string): number[] {
  return text === '' ? [] : texts.flatMap((other, index) => (other === text ? [index] : []));
}

/** Headers with the same key are the same header in another spelling. */
function headerKey(header: string): string {
  return header.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
}

function columnOfLetters(text: string): number | undefined {
  if (!LETTERS.test(text)) return undefined;
  const column = [...text].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
  return column < DEFAULT_LIMITS.columns ? column : undefined;
}

function notFound(
  missing: readonly { place: string; source: string }[],
  headers: readonly string[] | undefined,
): FileRefused {
  const advised = missing.map(({ place, source }) => {
    const nearest = headers && nearestOf(source, headers);
    const advice = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
    return `columns.${place} is "${source}", but the file has no such column.${advice}`;
  });
  const availableColumns = headers?.map((header, column) => header || columnName(column)) ?? [];
  const named = headers
    ? `Its columns are: ${availableColumns.join(', ')}.`
    : 'The file is read without a header row, so name columns by their letters: A, B, ….';
  const message = [...advised, named].join(' ');
  return new FileRefused({ code: 'column_not_found', message, availableColumns });
}

function ambiguous(place: string, source: string, found: readonly number[], headers: readonly string[]): FileRefused {
  const letters = found.map(columnName).join(', ');
  return new FileRefused({
    code: 'column_not_found',
    message: `columns.${place} is "${source}", which is the header of several columns: ${letters}. Name the column by its letter.`,
    availableColumns: headers.map((header, column) => (found.includes(column) ? columnName(column) : header)),
  });
}

function nearestOf(source: string, headers: readonly string[]): string | undefined {
  if (source.length > MAX_COMPARED) return undefined;
  const written = headerKey(source);
  const near = headers
    .filter((header) => header !== '' && header.length <= MAX_COMPARED)
    .map((header) => ({ header, wrong: leven(written, headerKey(header)) }))
    .filter(({ header, wrong }) => wrong <= Math.max(1, Math.floor(header.length / 3)))
    .sort((a, b) => a.wrong - b.wrong);
  return near[0]?.header;
}
