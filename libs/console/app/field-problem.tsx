import type { ReactNode } from 'react';
import type { FieldErrorDto, PreviewProblemDto } from '../../client/generated/types.gen';
import { asMessagingError } from '../api/call';
import { rich, t } from '../language/translate';
import { isEnglish, ServiceText } from '../ui/error-words';

/** What the service says of a field or a value. */
export type FieldError = Pick<FieldErrorDto | PreviewProblemDto, 'code' | 'message'>;
type Words = Readonly<Partial<Record<FieldError['code'], string>>>;

/** What to do about errors that need no more explanation. */
const WHOLE: Words = {
  required: t('Fill in this field.'),
  empty: t('Fill in this field.'),
  line_break: t('Write it in one line.'),
  tab: t('Replace tabs with spaces.'),
  too_many_spaces: t('At most four spaces in a row are allowed.'),
  not_unique: t('Remove the duplicate.'),
  invalid_characters: t('It contains invisible control characters. Enter it again.'),
  phone_missing: t('Write the phone number with its country code, such as 4915112345678.'),
  phone_invalid: t('Write the phone number with its country code, such as 4915112345678.'),
  braces_unbalanced: t('Write placeholders as {{1}} or {{first_name}}.'),
  placeholder_repeated: t('Each named placeholder may occur only once.'),
  placeholders_not_sequential: t('Number the placeholders {{1}}, {{2}}, … without a gap.'),
  placeholders_adjacent: t('Put words between the placeholders.'),
  placeholder_at_edge: t('Put words before and after the placeholders.'),
  placeholder_not_allowed: t('Remove the placeholder.'),
  too_many_placeholders: t('Add words or remove placeholders.'),
  examples_mismatch: t('Enter an example for each placeholder.'),
  not_contiguous: t('Group the buttons by type.'),
  template_duplicate: t('Another template has this text in this language. Use that one, or change the text.'),
};

/** What is wrong, of errors whose rule is in the message of the service. */
const WITH_RULE: Words = {
  too_long: t('It is too long.'),
  too_short: t('It is too short.'),
  wrong_length: t('It is too short or too long.'),
  too_few: t('Something is missing.'),
  too_many: t('There are too many.'),
  out_of_range: t('The number is too small or too large.'),
  not_allowed: t('This is not allowed.'),
  invalid_format: t('This does not have the right format.'),
  text_too_long: t('With these values the message exceeds the limit. Shorten them.'),
  placeholder_invalid: t('A placeholder is not written correctly.'),
};

/** Such rules whose figures are all that the message adds. */
const FIGURES: Readonly<
  Partial<Record<FieldError['code'], { pattern: RegExp; words: (figures: number[]) => string }>>
> = {
  too_long: {
    pattern: /(?:at most|shorter than or equal to) (\d+)(?: characters)?\.?$/,
    words: ([most]) => t('Enter at most {most, number} characters.', { most }),
  },
  too_short: {
    pattern: /(?:at least|longer than or equal to) (\d+)(?: characters)?\.?$/,
    words: ([least]) => t('Enter at least {least, number} characters.', { least }),
  },
  out_of_range: {
    pattern: /from (\d+) to (\d+)\.?$/,
    words: ([least, most]) => t('Enter a number from {least, number} to {most, number}.', { least, most }),
  },
};

/** What is wrong with a field: the message of the service or, in another language, a sentence for its code and the rule it broke. */
export function FieldProblem({ code, message }: FieldError): ReactNode {
  const original = <ServiceText text={message} />;
  if (isEnglish()) return original;
  const figures = FIGURES[code]?.pattern.exec(message)?.slice(1).map(Number);
  if (figures) return FIGURES[code]?.words(figures);
  const problem = WITH_RULE[code];
  return WHOLE[code] ?? (problem ? rich('{problem} {message}', { problem, message: original }) : original);
}

/** The error of a field that the service rejected; undefined: none. */
export function fieldErrorOf(error: unknown, field: string): ReactNode {
  const found = error ? asMessagingError(error).errors.find((one) => one.field === field) : undefined;
  return found && <FieldProblem {...found} />;
}
