import type { RowErrorCode } from '../recipient-file';
import { PARAMETER_MAX_CHARACTERS } from './parameter-text';

/** The spreadsheet name of a 0-based column: A, B, … Z, AA. */
export function columnName(column: number): string {
  const letter = String.fromCharCode(65 + (column % 26));
  return column < 26 ? letter : columnName(Math.floor(column / 26) - 1) + letter;
}

/** The message of each error for the cell in `column`, with remedy. `detail`: the error displayed in the cell, what is invalid, or the default country. */
export const ERROR_MESSAGES: Record<RowErrorCode, (column: string, detail?: string) => string> = {
  phone_missing: (column) => `There is no phone number in column ${column}. Fill in the cell or delete the row.`,
  phone_invalid: (column, country) =>
    `Column ${column} does not contain a valid phone number. Write it in international format with the country code, for example 4915112345678. ` +
    (country
      ? `National numbers are read as numbers of the default country, ${country}.`
      : 'National numbers need a default country, of the import or of the account.'),
  phone_scientific_notation: (column) =>
    `The phone number in column ${column} was rounded by a spreadsheet program and has lost digits. Format the column as text or as a number without decimals, enter the number again and save the file.`,
  user_id_invalid: (column, problem) => `The value in column ${column} ${problem} Correct it.`,
  recipient_ids_differ: (column) =>
    `The user id in column ${column} belongs to another person than the phone column of the row. Correct one of the two, or clear one of the cells.`,
  parameter_missing: (column) => `Column ${column} is empty, but the template needs a value there. Fill in the cell.`,
  parameter_too_long: (column) =>
    `The value in column ${column} is longer than ${PARAMETER_MAX_CHARACTERS.toLocaleString('en')} characters. Shorten it.`,
  parameter_invalid_characters: (column) =>
    `The value in column ${column} contains control characters or invalid text. Enter it again.`,
  parameter_invalid: (column, problem) => `The value in column ${column} ${problem} Correct it.`,
  formula_without_value: (column, shown) =>
    shown
      ? `The formula in column ${column} gives the error ${shown}. Correct it, or replace it with its value.`
      : `The formula in column ${column} was never calculated. Open the file in a spreadsheet program and save it, or replace the formula with its value.`,
  too_many_columns: (column) =>
    `Column ${column} is filled, but the template has no value for it. Name the columns that hold its values, choose the right template, or clear the cell.`,
};
