import type { ErrorCountDto, RowErrorDto } from '../../client/generated/types.gen';
import { counted } from '../output';

const SHOWN_ROWS = 5;
/** Errors of every row if the columns are not in the order in which they are read. */
const OF_OTHER_COLUMNS: readonly string[] = ['phone_missing', 'phone_invalid', 'too_many_columns'];

/** One line for each error of a file or list: how often it occurs, its first rows, and the message of the first. */
export function errorLines(byCode: readonly ErrorCountDto[], first: readonly RowErrorDto[]): string[] {
  return byCode.map(({ code, count }) => {
    const rows = first.filter((error) => error.code === code);
    if (!rows[0]) return `${count} × ${code}`;
    const numbers = [...new Set(rows.map(({ rowNumber }) => rowNumber))].slice(0, SHOWN_ROWS).join(', ');
    const where = count === 1 ? `row ${numbers}` : `rows ${numbers}${count > SHOWN_ROWS ? ', …' : ''}`;
    return `${counted(count, 'error')} (${code}), ${where}: ${rows[0].message}`;
  });
}

/** A sentence to add after "no valid recipients" if the columns may be the cause of all errors. */
export function adviceOnColumns(errors: readonly RowErrorDto[]): string {
  if (errors.length === 0 || !errors.every(({ code }) => OF_OTHER_COLUMNS.includes(code))) return '';
  return ' If the columns are in another order or more than the template needs, name them with --columns.';
}
