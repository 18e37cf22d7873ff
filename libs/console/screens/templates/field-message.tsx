import type { ReactNode } from 'react';
import type { ButtonDraftDto, FieldErrorDto } from '../../../client/generated/types.gen';
import { FieldProblem } from '../../app/field-problem';
import { t } from '../../language/translate';
import { EXAMPLE_TYPES, exampleFormat } from './example-types';
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
  const card = draft.cards[Number(/^cards\[(\d+)\]\./.exec(field)?.[1] ?? -1)];
  if (field.endsWith('body.text') && code.startsWith('placeholder'))
    return placeholderProblems({ ...draft, ...(card && { bodyText: card.bodyText }) }).join(' ');
  if (field === 'header.text' && code === 'placeholder_invalid')
    return wrongPlaceholders(draft.headerText, draft.parameterFormat);
  if (field === 'header.text' && code === 'too_many_placeholders') return t('The header can have one placeholder.');
  const example = exampleFormat(draft);
  const cardExample = draft.cardFormat === 'Product' ? null : draft.cardFormat;
  if (card && cardExample && field.endsWith('.header.exampleHandle'))
    return t('Choose an example file: {types}.', { types: EXAMPLE_TYPES[cardExample].words });
  if (field === 'header.exampleHandle' && example)
    return t('Choose an example file: {types}.', { types: EXAMPLE_TYPES[example].words });
  if (field === 'buttons' && code === 'too_many')
    return t('A template has at most 10 buttons: 10 quick replies, 2 links, 1 call and 1 code to copy.');
  const [, index, part] = /(?:^|\.)buttons\[(\d+)\]\.(\w+)$/.exec(field) ?? [];
  if (part) return ofButton(part, code, (card ?? draft).buttons[Number(index)]?.type);
  return (
    field === 'languageCode' && code === 'invalid_format' && t('Write a language code, such as en_US, de or pt_BR.')
  );
}

function ofButton(part: string, code: FieldErrorDto['code'], type?: ButtonDraftDto['type']): string | false {
  if (part === 'url' && code === 'invalid_format') return t('Begin it with https://, as in https://shop.example.');
  if (part === 'url' && code === 'placeholder_invalid') return t('It can have one placeholder, {{1}}, at its end.');
  if (part === 'phoneNumber' && code === 'invalid_format')
    return t('Write the phone number with its country code, such as 4915112345678.');
  if (part !== 'example') return false;
  if (type === 'CopyCode') return t('Enter 1 to 20 letters and digits.');
  return t('Write the whole URL, with a value in place of {{1}}.');
}
