import type { ReactNode } from 'react';
import type { RowErrorDto } from '../../../client/generated/types.gen';
import { rich, t } from '../../language/translate';
import { isEnglish, ServiceText } from '../../ui/error-words';

const WORDS: Readonly<Record<RowErrorDto['code'], string>> = {
  phone_missing: t('Phone missing'),
  phone_invalid: t('Phone invalid'),
  phone_scientific_notation: t('Phone scientific notation'),
  parameter_missing: t('Parameter missing'),
  parameter_too_long: t('Parameter too long'),
  parameter_invalid_characters: t('Parameter invalid characters'),
  parameter_invalid: t('Parameter invalid'),
  formula_without_value: t('Formula without value'),
  too_many_columns: t('Too many columns'),
  text_too_long: t('Text too long'),
  extras_invalid: t('Extras invalid'),
  user_id_invalid: t('User id invalid'),
  recipient_ids_differ: t('Recipient ids differ'),
  recipient_id_not_allowed: t('Recipient id not allowed'),
  name_invalid: t('Name invalid'),
  user_id_taken: t('User id taken'),
};

/** What is wrong with rows, in two or three words. */
export function rowProblemWords(code: RowErrorDto['code']): string {
  return WORDS[code];
}

/** What is wrong with a row. The service explains it in English, so other languages say first what it is. */
export function RowProblem({ code, message }: { code: string; message: string }): ReactNode {
  const problem = isEnglish() ? undefined : (WORDS as Readonly<Record<string, string | undefined>>)[code];
  const original = <ServiceText text={message} />;
  return problem ? rich('{problem}: {message}', { problem, message: original }) : original;
}
