import type { RowErrorDto } from '../../../client/generated/types.gen';
import { asMessagingError } from '../../api/call';
import { t } from '../../language/translate';
import { isEnglish } from '../../ui/error-words';

/** Why a file cannot be sent, and how to fix it. */
export interface RejectedFile {
  title: string;
  remedy: string;
}

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
  const { code, message } = asMessagingError(error);
  switch (code) {
    case 'file_empty':
      return {
        title: t('This file has no recipients'),
        remedy: words(message, t('It needs at least one row below its header.')),
      };
    case 'unsupported_file_type':
      return {
        title: t('This is not a spreadsheet'),
        remedy: words(message, t('Choose an Excel file (.xlsx, .xls) or a CSV file.')),
      };
    case 'file_unreadable':
      return {
        title: t('This file cannot be read'),
        remedy: words(
          message,
          t('Save it again without a password, as .xlsx or as CSV in UTF-8, then choose it again.'),
        ),
      };
    case 'file_too_large':
    case 'too_many_rows':
      return { title: t('This file is too large'), remedy: words(message, t('Split it into several files.')) };
    default:
      return null;
  }
}

/** The message of the service, which is English and names limits and reasons, or in another language a sentence of the console. */
function words(message: string, sentence: string): string {
  return isEnglish() ? message : sentence;
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
