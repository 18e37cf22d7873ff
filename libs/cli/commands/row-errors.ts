import type { ErrorCountDto, RowErrorDto } from '../../client/generated/types.gen';
import { inOptions } from '../option-names';
import { counted } from '../output';

const SHOWN_ROWS = 5;

/** One line for each error of a file or list: how often it occurs, its first rows, and the message of the first. */
export function errorLines(byCode: readonly ErrorCountDto[], first: readonly RowErrorDto[]): string[] {
  return byCode.map(({ code, count }) => {
    const rows = first.filter((error) => error.code === code);
    if (!rows[0]) return `${count} × ${code}`;
    const numbers = [...new Set(rows.map(({ rowNumber }) => rowNumber))].slice(0, SHOWN_ROWS).join(', ');
    const where = count === 1 ? `row ${numbers}` : `rows ${numbers}${count > SHOWN_ROWS ? ', …' : ''}`;
    return `${counted(count, 'error')} (${code}), ${where}: ${inOptions(rows[0].message)}`;
  });
}
