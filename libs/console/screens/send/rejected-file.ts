import type { RowErrorDto } from '../../../client/generated/types.gen';
import { asMessagingError } from '../../api/call';
import { t } from '../../language/translate';

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
      return { title: t('This file has no recipients'), remedy: message };
    case 'unsupported_file_type':
      return { title: t('This is not a spreadsheet'), remedy: message };
    case 'file_unreadable':
      return { title: t('This file cannot be read'), remedy: message };
    case 'file_too_large':
    case 'too_many_rows':
      return { title: t('This file is too large'), remedy: message };
    default:
      return null;
  }
}

/** Why no row of a checked file can be used. */
export function noUsableRows({
  total,
  errors,
  phoneColumn,
  asksCountry,
}: {
  total: number;
  errors: readonly RowErrorDto[];
  /** The column of the phone numbers. */
  phoneColumn: string;
  /** The country of numbers without a country code can be chosen, and is not. */
  asksCountry: boolean;
}): RejectedFile {
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
