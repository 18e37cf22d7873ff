import type { ReactNode } from 'react';
import type { FieldErrorDto } from '../../../client/generated/types.gen';
import { FieldProblem } from '../../app/field-problem';
import { t } from '../../language/translate';
import { placeholderProblems, wrongPlaceholders } from './placeholder-problems';
import type { Draft } from './template-draft';

/** The validation message of a field, without the field path, as it is shown next to the field. */
export function fieldMessage(problem: FieldErrorDto | undefined, draft: Draft): ReactNode {
  if (!problem) return undefined;
  const { field, code, message } = problem;
  if (code === 'empty') return t('Fill in this field.');
  const own = ownMessage(field, code, draft);
  if (own) return own;
  const rest = message.startsWith(`${field} `) ? message.slice(field.length + 1) : message;
  return <FieldProblem code={code} message={rest.charAt(0).toUpperCase() + rest.slice(1)} />;
}

/** The words for problems that the service describes by API names, or one at a time; empty: none. */
function ownMessage(field: string, code: FieldErrorDto['code'], draft: Draft): string | false {
  if (field === 'body.text' && code.startsWith('placeholder')) return placeholderProblems(draft).join(' ');
  if (field === 'header.text' && code === 'placeholder_invalid')
    return wrongPlaceholders(draft.headerText, draft.parameterFormat);
  return (
    field === 'languageCode' && code === 'invalid_format' && t('Write a language code, such as en_US, de or pt_BR.')
  );
}
