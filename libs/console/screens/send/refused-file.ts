import { asMessagingError } from '../../api/call';
import { count, counted } from '../../ui/format';
import type { Check } from './check-view';

const MOST_ROWS = 5;

/** Why a file cannot be sent, what to do, and the first rows that say so. */
export interface RefusedFile {
  title: string;
  remedy: string;
  rows: { rowNumber?: number; message: string }[];
}

/** A file that is refused before it leaves: without bytes nothing can be in it. */
export function emptyFile(file: File): RefusedFile | null {
  if (file.size > 0) return null;
  return {
    title: 'This file is empty',
    remedy: 'Save it again in your spreadsheet program, and choose it once more.',
    rows: [],
  };
}

/** What the service said of a file, for somebody who has only seen the file; null: it says nothing about the file. */
export function refusedFile(error: unknown, parameterCount: number): RefusedFile | null {
  const { code, message, errors, details } = asMessagingError(error);
  const rows = errors.slice(0, MOST_ROWS).map((one) => ({ rowNumber: one.rowNumber, message: one.message }));
  switch (code) {
    case 'no_valid_rows':
      return { ...allRowsWrong(errors, details.totalRecipients ?? 0, parameterCount), rows };
    case 'unsupported_file_type':
      return { title: 'This is not a spreadsheet', remedy: message, rows };
    case 'file_unreadable':
      return { title: 'This file cannot be read', remedy: message, rows };
    case 'file_too_large':
    case 'too_many_rows':
      return { title: 'This file is too large', remedy: message, rows };
    default:
      return null;
  }
}

/** A file without anybody who could get a message; null: somebody can. */
export function nobodyIn({ totalRecipients, invalidRows, errors }: Check, parameterCount: number): RefusedFile | null {
  if (totalRecipients > invalidRows) return null;
  return { ...allRowsWrong(errors, totalRecipients, parameterCount), rows: errors.slice(0, MOST_ROWS) };
}

function allRowsWrong(
  errors: readonly { code: string; rowNumber?: number }[],
  total: number,
  parameterCount: number,
): Pick<RefusedFile, 'title' | 'remedy'> {
  const every = (...codes: string[]) => errors.length > 0 && errors.every(({ code }) => codes.includes(code));
  if (total === 0) {
    return {
      title: 'There is nobody in this file',
      remedy: 'Put one person into each row, below the row of headings.',
    };
  }
  if (every('phone_scientific_notation')) {
    return {
      title: 'The phone numbers have lost digits',
      remedy:
        'Your spreadsheet program rounded them. Format column A as text, enter the numbers again, and save the file.',
    };
  }
  const phoneErrors = errors.filter(({ code }) => code === 'phone_missing' || code === 'phone_invalid');
  if (rowsOf(phoneErrors) === rowsOf(errors)) {
    return {
      title: 'There are no phone numbers in column A',
      remedy:
        'Column A has to be the phone number with its country code, such as 4915112345678. Move that column to the front.',
    };
  }
  if (every('parameter_missing', 'too_many_columns')) {
    const columns =
      parameterCount === 0 ? 'no further column' : `${counted(parameterCount, 'further column')}, one for each value`;
    return {
      title: 'The columns do not fit this template',
      remedy: `After the phone number the template takes ${columns}. The sample file below shows how it looks.`,
    };
  }
  return {
    title: total === 1 ? 'The only row cannot be sent' : `None of the ${count(total)} rows can be sent`,
    remedy: 'Correct what is listed here, and choose the file again.',
  };
}

function rowsOf(errors: readonly { rowNumber?: number }[]): number {
  return new Set(errors.map(({ rowNumber }) => rowNumber)).size;
}
