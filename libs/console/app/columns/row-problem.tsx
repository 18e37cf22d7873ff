import type { ReactNode } from 'react';
import type { RowErrorDto } from '../../../client/generated/types.gen';
import { errorTitle } from '../../api/error-title';
import { rich, t } from '../../language/translate';
import { isEnglish, ServiceText } from '../../ui/error-words';

type Code = RowErrorDto['code'];

/** What to do about a row. */
const REMEDIES: Readonly<Record<Code, string>> = {
  phone_missing: t('Fill in the cell or delete the row.'),
  phone_invalid: t('Write it with its country code, such as 4915112345678, or choose the country of the numbers.'),
  phone_scientific_notation: t(
    'Your spreadsheet program rounded it. Format the column as text, enter the number again, and save the file.',
  ),
  parameter_missing: t('The message needs a value here. Fill in the cell.'),
  parameter_too_long: t('Shorten it.'),
  parameter_invalid_characters: t('It contains invisible control characters. Enter it again.'),
  parameter_invalid: t('Correct it.'),
  formula_without_value: t(
    'Open the file in your spreadsheet program and save it, or replace the formula with its value.',
  ),
  too_many_columns: t('The template has no value for this cell. Clear it, or choose the right template.'),
  text_too_long: t('With these values the message exceeds the limit. Shorten them.'),
  extras_invalid: t('Correct it.'),
  user_id_invalid: t('Correct it, or clear the cell.'),
  recipient_ids_differ: t('Correct one of the two, or clear one of the cells.'),
  recipient_id_not_allowed: t('Messages of this template need a phone number.'),
  name_invalid: t('Shorten it, and remove line breaks.'),
  user_id_taken: t('Correct it, or change the other contact first.'),
};

/** The same once the country of the numbers is known. */
const WITH_COUNTRY: Readonly<Partial<Record<Code, string>>> = {
  phone_invalid: t('Correct it, or write it with its country code, such as 4915112345678.'),
};

/** Codes whose cause is only in the message of the service. */
const WITH_CAUSE: readonly string[] = ['parameter_invalid', 'extras_invalid', 'platform_rejected'];

/** Whether only the message of an error with this code says what to correct. */
export function hasOwnCause(code: string): boolean {
  return WITH_CAUSE.includes(code);
}

/** What is wrong with a row and what to do: the message of the service, or the same in the language of the console. */
export function RowProblem({
  code,
  message,
  hasCountry = false,
}: {
  code: string;
  message: string;
  /** The country of numbers without a country code was chosen. */
  hasCountry?: boolean;
}): ReactNode {
  const original = <ServiceText text={message} />;
  const usual = isEnglish() ? undefined : (REMEDIES as Readonly<Record<string, string | undefined>>)[code];
  if (!usual) return original;
  const problem = errorTitle(code);
  const remedy = (hasCountry && (WITH_COUNTRY as Readonly<Record<string, string | undefined>>)[code]) || usual;
  return hasOwnCause(code)
    ? rich('{problem}: {message}', { problem, message: original })
    : t('{problem}: {remedy}', { problem, remedy });
}
