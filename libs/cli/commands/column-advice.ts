import type { FileCheckDto } from '../../client/generated/types.gen';
import { shellWord } from '../output';

/** Errors of every row if the columns are not in the order in which they are read. */
const OF_OTHER_COLUMNS: readonly string[] = ['phone_missing', 'phone_invalid', 'too_many_columns'];
/** For a column that was not found. */
const TO_FILL_IN = '…';

/** Advice to name the columns, if they may be the cause of all errors; otherwise empty. */
export function adviceOnColumns({ errorsByCode, invalidRows, totalRecipients }: FileCheckDto): string {
  const codes = errorsByCode.map(({ code }) => code as string);
  const mayBeCause = codes.length > 0 && codes.every((code) => OF_OTHER_COLUMNS.includes(code));
  if (!mayBeCause || (invalidRows < totalRecipients && !codes.includes('too_many_columns'))) return '';
  return 'If the columns are in another order or more than the template needs, name them with --columns.';
}

/**
 * `--columns` as the check of a file guessed them, for a person to confirm. Values without a guess get the columns that are
 * left, in their order.
 */
export function suggestedOption({ suggestedColumns, columns }: FileCheckDto): string {
  const { phone, values = [], headerMediaUrl } = suggestedColumns ?? {};
  const left = columns.filter(({ use }) => use === null).map(({ header, column }) => header ?? column);
  const named = {
    phone: phone?.source ?? TO_FILL_IN,
    ...(values.length > 0 && { values: values.map(({ source }) => source ?? left.shift() ?? TO_FILL_IN) }),
    ...(headerMediaUrl?.source && { headerMediaUrl: headerMediaUrl.source }),
  };
  return `--columns ${shellWord(JSON.stringify(named))}`;
}
