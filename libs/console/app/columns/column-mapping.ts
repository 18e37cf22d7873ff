import type { FileColumnDto, SuggestedColumnDto } from '../../../client/generated/types.gen';
import { t } from '../../language/translate';
import { plainHeader } from './name-headers';

/** What a column of a file can fill. */
export interface ColumnField {
  /** As in `columns` of the API, with a dot before a part: `phone`, `values.0`, `headerMediaUrl`, `quickReplyPayloads.0`. */
  key: string;
  label: string;
  /** Without a column for it nothing can be sent. */
  required: boolean;
  /** Listed with the required ones also while it has no column. */
  listed?: boolean;
  /** Where it stands in the message, such as `Hello {{1}}, your order …`. */
  place?: string;
  /** Plain headers that probably fill it, the likeliest first. */
  headers?: readonly ReadonlySet<string>[];
  /** They do so only if another field has a column with such a header. */
  beside?: { key: string; headers: ReadonlySet<string> };
  /** May be the same text for all, or have one for empty cells. */
  takesText?: boolean;
}

/** Instead of a column: the same text for all. No header has a line break. */
export const SAME_FOR_ALL = '\n';

/** Who chose a column: the service without or with doubt, or a person, now or for an earlier file. */
export type ChosenBy = 'certain' | 'guess' | 'person' | 'memory';

/** The columns in use by field: header or letter, as the API names them. */
export type Mapping = Readonly<Record<string, ChosenColumn | undefined>>;

interface ChosenColumn {
  source: string;
  by: ChosenBy;
  /** Of rows whose cell is empty, or of all. */
  text?: string;
}

/** A column that a person can choose. */
export interface SourceChoice {
  /** The header if it identifies the column, otherwise the letter. */
  source: string;
  label: string;
  /** From 0. */
  index: number;
}

/** Guesses by field; those of values are a list, those of payloads have the index of their button. */
export type Suggestions = Readonly<
  Record<
    string,
    SuggestedColumnDto | readonly SuggestedColumnDto[] | Readonly<Record<string, SuggestedColumnDto>> | undefined
  >
>;

/** The columns of a file to choose from. */
export function sourcesOf(columns: readonly FileColumnDto[]): SourceChoice[] {
  const keys = columns.map(({ header }) => headerKey(header ?? ''));
  return columns.map(({ column, header }, index) => {
    const isUnique = header !== null && keys.filter((key) => key === keys[index]).length === 1;
    if (isUnique) return { source: header, label: header, index };
    return {
      source: column,
      label: header === null ? t('Column {column}', { column }) : t('{header} (column {column})', { header, column }),
      index,
    };
  });
}

/** The mapping that the service suggests. */
export function guessedMapping(suggestions: Suggestions): Mapping {
  const flat = Object.entries(suggestions).flatMap(([key, suggested]) =>
    suggested && !isGuess(suggested)
      ? Object.entries(suggested).map(([part, one]) => [`${key}.${part}`, one] as const)
      : [[key, suggested] as const],
  );
  return Object.fromEntries(
    flat.flatMap(([key, one]) =>
      one?.source ? [[key, { source: one.source, by: one.confidence === 'high' ? 'certain' : 'guess' }]] : [],
    ),
  );
}

function isGuess(suggested: NonNullable<Suggestions[string]>): suggested is SuggestedColumnDto {
  return 'confidence' in suggested;
}

/** The mapping with a guess, from free columns, for each field that has none and tells its headers. */
export function withLikely(
  mapping: Mapping,
  fields: readonly ColumnField[],
  sources: readonly SourceChoice[],
): Mapping {
  const all = { ...mapping };
  const isHeaded = (key: string, headers: ReadonlySet<string>) =>
    sources.some(({ source, label }) => source === all[key]?.source && headers.has(plainHeader(label)));
  for (const { key, headers = [], beside } of fields) {
    if (beside && !isHeaded(beside.key, beside.headers)) continue;
    const used = Object.values(all).map((chosen) => chosen?.source);
    const free = sources.filter(({ source }) => !used.includes(source));
    const found = headers.flatMap((likely) => free.filter(({ label }) => likely.has(plainHeader(label))));
    if (all[key] === undefined && found[0]) all[key] = { source: found[0].source, by: 'guess' };
  }
  return all;
}

/** The required fields without a column or text. */
export function missingFields(mapping: Mapping, fields: readonly ColumnField[]): ColumnField[] {
  return fields.filter(({ key, required }) => required && !isFilled(mapping[key]));
}

function isFilled(chosen: ChosenColumn | undefined): boolean {
  return chosen !== undefined && (chosen.source !== SAME_FOR_ALL || Boolean(chosen.text?.trim()));
}

/** The texts instead of columns or cells, by field. */
export function textsOf(mapping: Mapping): Record<string, string> {
  const texts = Object.entries(mapping).flatMap(([key, chosen]) => (chosen?.text ? [[key, chosen.text] as const] : []));
  return Object.fromEntries(texts);
}

/** Whether a person has to confirm a column. */
export function isUncertain(mapping: Mapping): boolean {
  return Object.values(mapping).some((chosen) => chosen?.by === 'guess');
}

/** The mapping as confirmed by a person. */
export function confirmed(mapping: Mapping): Mapping {
  return Object.fromEntries(
    Object.entries(mapping).map(([key, chosen]) => [
      key,
      chosen?.by === 'guess' ? { ...chosen, by: 'person' } : chosen,
    ]),
  );
}

/** The mapping as the `columns` of a request; every field in use needs a place among `fields`. */
export function requestedColumns(mapping: Mapping, fields: readonly ColumnField[]): Record<string, unknown> {
  const columns: Record<string, unknown> = {};
  for (const { key } of fields) {
    const source = mapping[key]?.source;
    if (source === undefined) continue;
    const [name, part] = key.split('.') as [string, string?];
    if (part === undefined) columns[name] = source;
    else if (name === 'values')
      columns.values = [...((columns.values ?? []) as unknown[]), requestedValue(mapping[key]!)];
    else columns[name] = { ...(columns[name] as object | undefined), [part]: source };
  }
  return columns;
}

function requestedValue({ source, text = '' }: ChosenColumn) {
  if (text.trim() === '') return source;
  return { ...(source !== SAME_FOR_ALL && { column: source }), default: text.trim() };
}

/** The key of the field that an error of a row names, such as `parameter 2`. */
export function keyOfError(field: string): string {
  const [, number] = /^parameter (\d+)$/.exec(field) ?? [];
  return number === undefined ? field : `values.${Number(number) - 1}`;
}

/** The index of the column that is wrong in a row; -1: none in particular. */
export function columnOfError(field: string, mapping: Mapping, sources: readonly SourceChoice[]): number {
  const source = field.startsWith('attributes.')
    ? field.slice('attributes.'.length)
    : mapping[keyOfError(field)]?.source;
  return sources.findIndex((choice) => choice.source === source);
}

/** Equal for headers that the service takes as the same. */
function headerKey(header: string): string {
  return header.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
}
