import type { FieldError } from '../../../kernel/domain-error';
import { columnUses, type FileColumn } from '../../recipient-files/domain/column-uses';
import type {
  ColumnSources,
  ReadBatch,
  ReadRow,
  ResolvedColumns,
  SuggestedColumn,
  SuggestedColumns,
} from '../../recipient-files/domain/file-rows';
import type { SendableTemplate } from '../../templates/domain/sendable-template';
import { ParameterMismatchError } from '../../templates/domain/templates.errors';
import { checkTexts } from './contact-values';

/** A column, or a column and the text of rows whose cell is empty; without a column the text of all rows. */
export type RequestedValue = string | { column?: string | null; default?: string | null };

/** Columns as requested: the values in order, or by the names of their placeholders or their numbers. */
export type RequestedColumns = Omit<ColumnSources, 'values' | 'defaults'> & {
  values: RequestedValue[] | Record<string, RequestedValue>;
};

/** The requested columns, those of the values as far as they are known. */
export function sourcesOf(columns: Omit<RequestedColumns, 'values'>, values: readonly RequestedValue[]): ColumnSources {
  const texts = values.map(defaultOf);
  return {
    ...columns,
    values: values.map((value) => (typeof value === 'string' ? value : (value.column ?? ''))),
    ...(texts.some((text) => text !== null) && { defaults: texts }),
  };
}

function defaultOf(value: RequestedValue): string | null {
  return typeof value === 'string' ? null : (value.default ?? null);
}

/**
 * The requested columns with those of the values in order; throws InvalidValuesError for an invalid default, ParameterMismatchError
 * unless each value has a column or a default.
 */
export function orderedColumns({ values, ...columns }: RequestedColumns, template: SendableTemplate): ColumnSources {
  const { valueCount } = template;
  const placeOf = (key: string) => (Array.isArray(values) ? `[${key}]` : `.${key}`);
  const given = Object.entries<RequestedValue>(values);
  checkTexts(given.map(([key, value]) => [`columns.values${placeOf(key)}.default`, defaultOf(value)]));
  if (Array.isArray(values)) {
    if (values.length !== valueCount) throw new ParameterMismatchError(valueCount, values.length);
    return sourcesOf(columns, values);
  }
  const names = template.valueNames();
  const keys = names.map((name, index) => (name !== null && Object.hasOwn(values, name) ? name : String(index + 1)));
  const missing = keys.flatMap((key, index) => (Object.hasOwn(values, key) ? [] : [names[index] ?? key]));
  const unknown = Object.keys(values).filter((key) => !keys.includes(key));
  if (missing.length > 0 || unknown.length > 0) {
    const advice = [
      ...(missing.length > 0 ? [`columns.values has no column for ${listed(missing)}.`] : []),
      ...(unknown.length > 0 ? [`The template has no value ${listed(unknown)}.`] : []),
    ];
    const errorOf = (name: string, code: FieldError['code'], rule: string): FieldError => {
      const field = `columns.values.${name}`;
      return { field, code, message: `${field} ${rule}` };
    };
    const errors = [
      ...missing.map((name) => errorOf(name, 'required', 'is required.')),
      ...unknown.map((name) => errorOf(name, 'unknown_field', 'is not a value of the template. Remove it.')),
    ];
    throw new ParameterMismatchError(valueCount, Object.keys(values).length, advice.join(' '), errors);
  }
  return sourcesOf(
    columns,
    keys.map((key) => values[key]!),
  );
}

/** A guess of the columns. */
export interface GuessedColumns {
  /** The columns that were found, in the form of a request; the first one for a phone that was not found. */
  sources: ColumnSources;
  /** Indices of the values without a column. */
  gaps: number[];
  /** What was not found, and what to do; null: nothing is missing. */
  warning: string | null;
}

const GUESSED_EXTRAS = ['userId', 'headerMediaUrl', 'headerMediaFileName', 'reference', 'flowToken'] as const;

function sourcesIn<Name extends string>(
  suggested: Partial<Record<Name, SuggestedColumn>>,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const found = names.flatMap((name) => {
    const source = suggested[name]?.source;
    return source ? [[name, source] as const] : [];
  });
  return Object.fromEntries(found) as Partial<Record<Name, string>>;
}

/** The suggested columns as a guess by which a file can be read. */
export function guessedColumns(suggested: SuggestedColumns, template: SendableTemplate): GuessedColumns {
  const { phone, values, quickReplyPayloads = {} } = suggested;
  const gaps = values.flatMap(({ source }, index) => (source === null ? [index] : []));
  const titles = template.valueTitles();
  const missing = [...(phone.source === null ? ['phone'] : []), ...gaps.map((index) => titles[index]!)];
  const byPosition = phone.source === null ? ' The first column was read as the phone.' : '';
  return {
    sources: {
      phone: phone.source ?? 'A',
      values: values.flatMap(({ source }) => source ?? []),
      ...sourcesIn(suggested, GUESSED_EXTRAS),
      ...(suggested.quickReplyPayloads && {
        quickReplyPayloads: sourcesIn(quickReplyPayloads, Object.keys(quickReplyPayloads)) as Record<string, string>,
      }),
    },
    gaps,
    warning:
      missing.length === 0
        ? null
        : `The guess is incomplete: no column was found for ${listed(missing)}.${byPosition} Name all columns in \`columns\`.`,
  };
}

/** Batches of rows with an empty value in each gap, instead of none. */
export async function* withGaps(batches: AsyncIterable<ReadBatch>, gaps: readonly number[]): AsyncGenerator<ReadBatch> {
  const filled = <Row extends ReadRow>(row: Row): Row => {
    const values = [...row.values];
    for (const gap of gaps) values.splice(gap, 0, '');
    return { ...row, values };
  };
  for await (const batch of batches) {
    yield { ...batch, rows: batch.rows.map(filled), invalidRows: batch.invalidRows.map(filled) };
  }
}

/** The columns of a file with `width` columns. Without `columns` the use follows from the position; `gaps`: the values without a column. */
export function fileColumnsOf(
  headers: readonly string[],
  width: number,
  template: SendableTemplate,
  columns?: ResolvedColumns,
  gaps: readonly number[] = [],
): FileColumn[] {
  const titles = template.valueTitles().filter((_, index) => !gaps.includes(index));
  const used = [
    { use: 'phone', column: columns?.phone ?? 0 },
    ...titles
      .map((use, index) => ({ use, column: columns ? columns.values[index]! : index + 1 }))
      .filter(({ column }) => column >= 0),
    ...(columns?.extras.map(({ field, column }) => ({ use: field, column })) ?? []),
  ];
  return columnUses(headers, width, used);
}

function listed(texts: readonly string[]): string {
  return texts.map((text) => `"${text}"`).join(', ');
}
