import type {
  FileCheckDto,
  FileColumnDto,
  RowErrorDto,
  SuggestedColumnDto,
  SuggestedColumnsDto,
} from '../../client/generated/types.gen';
import { shellWord } from '../output';

/** Errors of most rows if the columns are not in the order in which they are read. */
const OF_OTHER_COLUMNS: readonly string[] = ['phone_missing', 'phone_invalid', 'too_many_columns'];
/** For a column that was not found. */
const TO_FILL_IN = '…';

/** Fields of a guess that are no values; a reference is of use to programs only. */
const EXTRAS = ['headerMediaUrl', 'userId', 'headerMediaFileName', 'flowToken'] as const;

/** A check with guessed columns. */
interface GuessedCheck {
  suggestedColumns?: Partial<SuggestedColumnsDto> & { name?: SuggestedColumnDto };
  columns?: FileColumnDto[];
}

/** Errors of rows by code; without `count` each is one. */
interface CodedError {
  code: RowErrorDto['code'];
  count?: number;
}

/**
 * Whether the order of the columns may be the cause of errors: no row fits, and some for this reason, or most rows do not fit, and
 * most of them for this reason. The others have errors of their own.
 */
export function mayBeDueToColumns(
  errors: readonly CodedError[],
  { invalid, rows }: { invalid: number; rows: number },
): boolean {
  const countOf = (counted: readonly CodedError[]) => counted.reduce((sum, { count = 1 }) => sum + count, 0);
  const due = countOf(errors.filter(({ code }) => OF_OTHER_COLUMNS.includes(code)));
  return due > 0 && (invalid === rows || (invalid * 2 > rows && due * 2 > countOf(errors)));
}

/** Advice to name the columns, if they may be the cause of errors; otherwise empty. */
export function adviceOnColumns({ errorsByCode, invalidRows: invalid, totalRecipients: rows }: FileCheckDto): string {
  const hasTooMany = errorsByCode.some(({ code }) => code === 'too_many_columns');
  if (!hasTooMany && !mayBeDueToColumns(errorsByCode, { invalid, rows })) return '';
  return 'If the columns are in another order or more than the template needs, name them with --columns.';
}

/**
 * `--columns` as the check of a file guessed them, for a person to confirm. Values without a guess get the columns that are
 * left, in their order.
 */
export function suggestedOption({ suggestedColumns, columns = [] }: GuessedCheck): string {
  const { phone, name, values = [], quickReplyPayloads = {} } = suggestedColumns ?? {};
  const left = columns.filter(({ use }) => use === null).map(({ header, column }) => header ?? column);
  const named = {
    phone: phone?.source ?? TO_FILL_IN,
    ...(name?.source && { name: name.source }),
    ...(values.length > 0 && { values: values.map(({ source }) => source ?? left.shift() ?? TO_FILL_IN) }),
    ...sourcesOf(EXTRAS.map((field) => [field, suggestedColumns?.[field]])),
    ...(suggestedColumns?.quickReplyPayloads && { quickReplyPayloads: sourcesOf(Object.entries(quickReplyPayloads)) }),
  };
  return `--columns ${shellWord(JSON.stringify(named))}`;
}

function sourcesOf(suggested: [field: string, column: SuggestedColumnDto | undefined][]): Record<string, string> {
  return Object.fromEntries(suggested.flatMap(([field, column]) => (column?.source ? [[field, column.source]] : [])));
}
