import type {
  FileCheckDto,
  FileColumnDto,
  RowErrorDto,
  SuggestedColumnDto,
  SuggestedColumnsDto,
} from '../../client/generated/types.gen';
import { shellWord } from '../output';

/** Errors of every row if the columns are not in the order in which they are read. */
const OF_OTHER_COLUMNS: readonly string[] = ['phone_missing', 'phone_invalid', 'too_many_columns'];
/** For a column that was not found. */
const TO_FILL_IN = '…';

/** A check with guessed columns. */
interface GuessedCheck {
  suggestedColumns?: Partial<SuggestedColumnsDto> & { name?: SuggestedColumnDto };
  columns?: FileColumnDto[];
}

/** Whether all these errors may be due to the order of the columns. */
export function mayBeDueToColumns(errors: readonly { code: RowErrorDto['code'] }[]): boolean {
  return errors.length > 0 && errors.every(({ code }) => OF_OTHER_COLUMNS.includes(code));
}

/** Advice to name the columns, if they may be the cause of all errors; otherwise empty. */
export function adviceOnColumns({ errorsByCode, invalidRows, totalRecipients }: FileCheckDto): string {
  const hasTooMany = errorsByCode.some(({ code }) => code === 'too_many_columns');
  if (!mayBeDueToColumns(errorsByCode) || (invalidRows < totalRecipients && !hasTooMany)) return '';
  return 'If the columns are in another order or more than the template needs, name them with --columns.';
}

/**
 * `--columns` as the check of a file guessed them, for a person to confirm. Values without a guess get the columns that are
 * left, in their order.
 */
export function suggestedOption({ suggestedColumns, columns = [] }: GuessedCheck): string {
  const { phone, name, values = [], headerMediaUrl } = suggestedColumns ?? {};
  const left = columns.filter(({ use }) => use === null).map(({ header, column }) => header ?? column);
  const named = {
    phone: phone?.source ?? TO_FILL_IN,
    ...(name?.source && { name: name.source }),
    ...(values.length > 0 && { values: values.map(({ source }) => source ?? left.shift() ?? TO_FILL_IN) }),
    ...(headerMediaUrl?.source && { headerMediaUrl: headerMediaUrl.source }),
  };
  return `--columns ${shellWord(JSON.stringify(named))}`;
}
