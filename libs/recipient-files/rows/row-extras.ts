import type { ExtraColumn, RecipientRow, RowErrorCode } from '../recipient-file';
import type { SheetRow } from '../sheet-row';
import { problemOfExtra } from './extra-text';
import { readParameter } from './parameter-text';

/** Why the cell of a column cannot be its field. */
export interface ExtraProblem {
  code: RowErrorCode;
  field: string;
  column: number;
  /** Of the text, to follow "The value …". */
  detail?: string | undefined;
}

/** What extra columns fill. */
type Filled = Pick<RecipientRow, 'phone' | 'userId' | 'name' | 'extras' | 'reference'>;

/** Adds the cells of the extra columns to a row; blank and invalid ones add nothing. Returns the problems of invalid ones, in order. */
export function addExtras(filled: Filled, row: SheetRow, columns: readonly ExtraColumn[]): ExtraProblem[] {
  return columns.flatMap(({ field, column }): ExtraProblem[] => {
    if (row.withoutValue?.has(column)) {
      return [{ code: 'formula_without_value', field, column, detail: row.withoutValue.get(column) }];
    }
    if (field === 'name' || field === 'lastName') {
      const part = readParameter(row.cells[column] ?? '');
      if (typeof part === 'string') return [{ code: part, field, column }];
      const parts = field === 'name' ? [part.text, filled.name] : [filled.name, part.text];
      filled.name = parts.filter(Boolean).join(' ');
      return [];
    }
    const text = row.cells[column]?.trim() ?? '';
    if (text === '') return [];
    const detail = problemOfExtra(field, text);
    if (detail === undefined) fill(filled, field, text);
    else return [{ code: field === 'userId' ? 'user_id_invalid' : 'parameter_invalid', field, column, detail }];
    return [];
  });
}

function fill(filled: Filled, field: string, text: string): void {
  const [name, button] = field.split('.');
  if (button !== undefined) ((filled.extras ??= {}).quickReplyPayloads ??= {})[button] = text;
  else if (name === 'reference') filled.reference = text;
  else if (name !== 'userId') (filled.extras ??= {})[name as 'flowToken'] = text;
  // A row without a number has the user id in its place.
  else if (text !== filled.phone) filled.userId = text;
}
