import type { ColumnSources, InvalidRow, RecipientRow, ResolvedColumns, RowExtras } from '../recipient-file';
import type { SheetRow } from '../sheet-row';
import { isUserId } from './extra-text';
import { phoneCell } from './row-cells';

/** Characters kept of a row, so that a report of such rows needs little memory; the rest is dropped. */
const MAX_CHARACTERS = 16_384;

/**
 * What the text of each column from 0 is read as, the first if there are several: `phone`, `values.0`, or the field of an extra column;
 * undefined: nothing from which the cell is known. The user id is none: it may come from the phone column.
 */
export function usesOf(
  { phone, values, extras }: ResolvedColumns,
  defaults: ColumnSources['defaults'],
): (string | undefined)[] {
  const uses: (string | undefined)[] = [];
  uses[phone] = 'phone';
  values.forEach((column, index) => {
    // A default may stand for an empty cell.
    if (column >= 0 && !defaults?.[index]) uses[column] ??= `values.${index}`;
  });
  for (const { field, column } of extras) if (field !== 'userId') uses[column] ??= field;
  return uses;
}

/**
 * The cells that differ from what was read from them, by column: those of unused columns, and texts that were changed. '' for the others;
 * undefined: there are none. The phone is always among them in a row with a user id.
 */
export function otherCells(
  row: SheetRow,
  read: RecipientRow | InvalidRow,
  uses: readonly (string | undefined)[],
): string[] | undefined {
  const cells: string[] = [];
  let left = MAX_CHARACTERS;
  row.cells.forEach((_, column) => {
    const use = uses[column];
    const cell = use === 'phone' ? phoneCell(row, column) : row.cells[column]!;
    if (cell === '' || cell === readText(read, use)) return;
    while (cells.length < column) cells.push('');
    cells.push(cell.slice(0, left));
    left -= cell.length;
    if (left < 0) left = 0;
  });
  return cells.length === 0 ? undefined : cells;
}

function readText(read: RecipientRow | InvalidRow, use: string | undefined): string | undefined {
  if (use === undefined) return undefined;
  const { userId, extras, reference } = read;
  const [field, index] = use.split('.') as [string, string?];
  switch (field) {
    case 'phone':
      return userId !== undefined || isUserId(read.phone) ? undefined : read.phone;
    case 'values':
      return read.values[Number(index)];
    case 'reference':
      return reference;
    case 'quickReplyPayloads':
      return extras?.quickReplyPayloads?.[index!];
    default:
      return extras?.[field as Exclude<keyof RowExtras, 'quickReplyPayloads'>];
  }
}
