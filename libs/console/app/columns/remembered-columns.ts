import type { FileColumnDto } from '../../../client/generated/types.gen';
import { store, stored } from '../../ui/storage';
import { type ColumnField, type Mapping, SAME_FOR_ALL, sourcesOf, textsOf } from './column-mapping';

const PLACE = 'console.columns';
/** A row of 200 headers takes some 10 KB. */
const MAX_FILES = 30;

interface Remembered {
  headers: string;
  sources: Record<string, string>;
  /** Absent in what earlier versions stored. */
  texts?: Record<string, string>;
  /** The fields whose columns are still guesses; absent in what earlier versions stored. */
  guesses?: string[];
  country: string;
}

/** What a person chose for an earlier file with the same header row. */
export interface RememberedColumns {
  mapping: Mapping;
  /** Of numbers without a country code; empty: none was chosen. */
  country: string;
}

/** The columns chosen in this browser for the header row and `purpose`, such as a template; null: none. */
export function rememberedColumns(
  purpose: string,
  columns: readonly FileColumnDto[],
  fields: readonly ColumnField[],
): RememberedColumns | null {
  const headers = headersOf(purpose, columns);
  const found = headers && all().find((one) => one.headers === headers);
  if (!found) return null;
  const known = new Set([SAME_FOR_ALL, ...sourcesOf(columns).map(({ source }) => source)]);
  const used = fields.flatMap(({ key }) => {
    const source = found.sources[key];
    if (source === undefined || !known.has(source)) return [];
    const text = found.texts?.[key];
    const by = found.guesses?.includes(key) ? ('guess' as const) : ('memory' as const);
    return [[key, { source, by, ...(text && { text }) }] as const];
  });
  return { mapping: Object.fromEntries(used), country: found.country };
}

/** Remembers the columns in this browser, and which are still guesses; those of files without a header row are not remembered. */
export function rememberColumns(
  purpose: string,
  columns: readonly FileColumnDto[],
  { mapping, country }: RememberedColumns,
): void {
  const headers = headersOf(purpose, columns);
  if (!headers) return;
  const sources = Object.fromEntries(
    Object.entries(mapping).flatMap(([key, chosen]) => (chosen ? [[key, chosen.source]] : [])),
  );
  const guesses = Object.keys(mapping).filter((key) => mapping[key]?.by === 'guess');
  const others = all().filter((one) => one.headers !== headers);
  store(
    PLACE,
    JSON.stringify([{ headers, sources, texts: textsOf(mapping), guesses, country }, ...others].slice(0, MAX_FILES)),
  );
}

function headersOf(purpose: string, columns: readonly FileColumnDto[]): string | null {
  const headers = columns.map(({ header }) => header ?? '');
  return headers.some(Boolean) ? JSON.stringify([purpose, ...headers]) : null;
}

function all(): Remembered[] {
  try {
    return JSON.parse(stored(PLACE) ?? '[]') as Remembered[];
  } catch {
    return [];
  }
}
