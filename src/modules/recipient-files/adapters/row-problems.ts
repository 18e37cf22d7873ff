import type { RowErrorCode } from '../../../../libs/recipient-files/recipient-file';
import type { Explanation } from '../../../kernel/explanation';

/** Every error of a row of a file. */
export const ROW_PROBLEMS: Readonly<Record<RowErrorCode, Explanation>> = {
  phone_missing: {
    when: 'The row, or the contact, has no phone number.',
    remedy: 'Fill in the number, or remove the row.',
  },
  phone_invalid: {
    when: 'The text is not a possible phone number.',
    remedy: 'Write the number in international format with its country code, for example 4915112345678.',
  },
  phone_scientific_notation: {
    when: 'A spreadsheet program rounded the number, which lost digits.',
    remedy: 'Format the column as text, enter the number again and save the file.',
  },
  parameter_missing: {
    when: 'A placeholder of the template has no value.',
    remedy: 'Fill the cell, or give the contact the parameter or the request a default for it.',
  },
  parameter_too_long: { when: 'A value is longer than 1,024 characters.', remedy: 'Shorten it.' },
  parameter_invalid_characters: {
    when: 'A value has control characters or broken text.',
    remedy: 'Type it again.',
  },
  formula_without_value: {
    when: 'A formula gives an error, or was never calculated.',
    remedy: 'Open the file in a spreadsheet program, correct the formula or replace it by its value, and save it.',
  },
  too_many_columns: {
    when: 'A cell is filled for which the template has no value.',
    remedy: 'Empty the cell, or choose the right template.',
  },
};
