import { asMessagingError } from '../../api/call';
import { count, counted } from '../../ui/format';
import type { Check } from './check-view';

const MAX_ROWS = 5;

/** Why a file cannot be sent, how to fix it, and the first affected rows. */
export interface RejectedFile {
  title: string;
  remedy: string;
  rows: { rowNumber?: number; message: string }[];
}

/** Rejects an empty file before the upload. */
export function emptyFile(file: File): RejectedFile | null {
  if (file.size > 0) return null;
  return {
    title: 'This file is empty',
    remedy: 'Save it again in your spreadsheet program, then choose it again.',
    rows: [],
  };
}

/** Translates a file-related API error for people who only know the file; null for other errors. */
export function rejectedFile(error: unknown, parameterCount: number): RejectedFile | null {
  const { code, message, errors, details } = asMessagingError(error);
  const rows = errors.slice(0, MAX_ROWS).map((one) => ({ rowNumber: one.rowNumber, message: one.message }));
  switch (code) {
    case 'no_valid_rows':
      return { ...allRowsInvalid(errors, details.totalRecipients ?? 0, parameterCount), rows };
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

/** Rejects a checked file in which every row is invalid; null if any row is valid. */
export function noRecipientsIn(
  { totalRecipients, invalidRows, errors }: Check,
  parameterCount: number,
): RejectedFile | null {
  if (totalRecipients > invalidRows) return null;
  return { ...allRowsInvalid(errors, totalRecipients, parameterCount), rows: errors.slice(0, MAX_ROWS) };
}

function allRowsInvalid(
  errors: readonly { code: string; rowNumber?: number }[],
  total: number,
  parameterCount: number,
): Pick<RejectedFile, 'title' | 'remedy'> {
  const every = (...codes: string[]) => errors.length > 0 && errors.every(({ code }) => codes.includes(code));
  if (total === 0) {
    return {
      title: 'This file has no recipients',
      remedy: 'Put one person in each row, below the header row.',
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
        'Column A must contain phone numbers with country code, such as 4915112345678. Move that column to the front.',
    };
  }
  if (every('parameter_missing', 'too_many_columns')) {
    const columns =
      parameterCount === 0 ? 'no further columns' : `${counted(parameterCount, 'further column')}, one per value`;
    return {
      title: 'The columns do not match this template',
      remedy: `After the phone number, the template needs ${columns}. See the sample file below.`,
    };
  }
  return {
    title: total === 1 ? 'The only row cannot be sent' : `None of the ${count(total)} rows can be sent`,
    remedy: 'Correct the problems listed here, then choose the file again.',
  };
}

function rowsOf(errors: readonly { rowNumber?: number }[]): number {
  return new Set(errors.map(({ rowNumber }) => rowNumber)).size;
}
