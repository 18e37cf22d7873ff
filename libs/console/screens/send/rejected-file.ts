import type { RowErrorDto } from '../../../client/generated/types.gen';
import { asMessagingError } from '../../api/call';
import { t } from '../../language/translate';
import { isEnglish } from '../../ui/error-words';

/** Why a file cannot be sent, and how to fix it. */
export interface RejectedFile {
  title: string;
  remedy: string;
  /** What the service says in English, in another language than that of the console. */
  detail?: string;
}

const OPEN_QUOTE = /: Row (\d+) has a quotation mark/;

/** Rejects an empty file before the upload. */
export function emptyFile(file: File): RejectedFile | null {
  if (file.size > 0) return null;
  return {
    title: t('This file is empty'),
    remedy: t('Save it again in your spreadsheet program, then choose it again.'),
  };
}

/** Translates a file-related API error for people who only know the file; null for other errors. */
export function rejectedFile(error: unknown): RejectedFile | null {
  const { code, message, details } = asMessagingError(error);
  switch (code) {
    case 'file_empty':
      return rejected(t('This file has no recipients'), t('It needs at least one row below its header.'), message);
    case 'unsupported_file_type':
      return rejected(t('This is not a spreadsheet'), t('Choose an Excel file (.xlsx, .xls) or a CSV file.'), message);
    case 'file_unreadable':
      return rejected(t('This file cannot be read'), remedyOf(details.reason, message), message);
    case 'file_too_large':
    case 'too_many_rows':
      return rejected(t('This file is too large'), t('Split it into several files.'), message);
    default:
      return null;
  }
}

/** The message of the service, which is English and names limits, rows and reasons, comes after the sentence in another language. */
function rejected(title: string, sentence: string, message: string): RejectedFile {
  return isEnglish() ? { title, remedy: message } : { title, remedy: sentence, detail: message };
}

function remedyOf(reason: string | undefined, message: string): string {
  if (reason === 'encrypted') return t('Save it without a password, then choose it again.');
  if (reason === 'encoding') return t('Save it as “CSV UTF-8” or as .xlsx, then choose it again.');
  const row = OPEN_QUOTE.exec(message)?.[1];
  return row
    ? t(
        'Row {row} has a quotation mark (") that is never closed, or is too long. Correct it, then choose the file again.',
        {
          row,
        },
      )
    : t('It is damaged. Open it in a spreadsheet program, save it again, then choose that copy.');
}

/** Why no row of a checked file can be used. */
export function noUsableRows({
  total,
  errors,
  phoneColumn,
  asksCountry,
  leftOut,
}: {
  total: number;
  errors: readonly RowErrorDto[];
  /** The column of the phone numbers. */
  phoneColumn: string;
  /** The country of numbers without a country code can be chosen, and is not. */
  asksCountry: boolean;
  /** Rows that the send leaves out. */
  leftOut: number;
}): RejectedFile {
  if (total === 0 && leftOut > 0) {
    return {
      title: t('Everyone in this file is left out'),
      remedy: t('Choose other groups or another job under “Leave people out”.'),
    };
  }
  const every = (...codes: string[]) => errors.every(({ code }) => codes.includes(code));
  if (every('phone_scientific_notation')) {
    return {
      title: t('The phone numbers have lost digits'),
      remedy: t(
        'Your spreadsheet program rounded them. Format the column as text, enter the numbers again, and save the file.',
      ),
    };
  }
  if (every('phone_missing', 'phone_invalid')) {
    return {
      title: t('There are no complete phone numbers in “{column}”', { column: phoneColumn }),
      remedy: asksCountry
        ? t('Choose the country of the numbers above, or write them with the country code, such as 4915112345678.')
        : t('Choose the column with the phone numbers, or correct them: with the country code, such as 4915112345678.'),
    };
  }
  return {
    title: t('{total, plural, one {The only row cannot be used} other {None of the # rows can be used}}', { total }),
    remedy: t('Correct the problems listed here, then choose the file again.'),
  };
}
