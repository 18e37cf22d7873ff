import { locale, t } from '../../language/translate';
import { placeholdersOf } from './body-draft';
import type { Draft } from './template-draft';

const FORMS = { Positional: /^[1-9]\d*$/, Named: /^[a-z][a-z0-9_]*$/ };
/** As many as a person can overlook; a larger gap is a typing error. */
const MOST_MISSING = 5;

/** Everything that is wrong with the placeholders of a body, of which the service names only the first. */
export function placeholderProblems({ bodyText, parameterFormat }: Pick<Draft, 'bodyText' | 'parameterFormat'>) {
  const names = placeholdersOf(bodyText);
  const numbers = names.filter((name) => FORMS.Positional.test(name)).map(Number);
  const isNumbered = parameterFormat === 'Positional';
  const missing = isNumbered ? missingNumbers(numbers) : [];
  return [
    wrongPlaceholders(bodyText, parameterFormat),
    missing.length > MOST_MISSING && t('Number the placeholders {{1}}, {{2}}, … without a gap.'),
    missing.length > 0 &&
      missing.length <= MOST_MISSING &&
      t('{count, plural, one {{names} is} other {{names} are}} missing: number the placeholders without a gap.', {
        count: missing.length,
        names: listed(missing.map(String)),
      }),
    !isNumbered && countOf(bodyText) > names.length && t('Each named placeholder may occur only once.'),
    /\}\}\s*\{\{/.test(bodyText) && t('Put words between the placeholders.'),
    /^\s*\{\{|\}\}\s*$/.test(bodyText) && t('Put words before and after the placeholders.'),
  ].filter((problem) => problem !== false);
}

/** The placeholders of a text that are not of the chosen kind; false: none. */
export function wrongPlaceholders(text: string, format: Draft['parameterFormat']): string | false {
  const wrong = placeholdersOf(text).filter((name) => !FORMS[format].test(name));
  if (wrong.length === 0) return false;
  const values = { count: wrong.length, names: listed(wrong) };
  return format === 'Positional'
    ? t(
        '{count, plural, one {{names} is} other {{names} are}} not a number: number all placeholders, or choose names as the variable format.',
        values,
      )
    : t(
        '{count, plural, one {{names} is} other {{names} are}} not a name of lowercase letters, digits and _ that begins with a letter: correct it, or choose numbers as the variable format.',
        values,
      );
}

function missingNumbers(numbers: readonly number[]): number[] {
  const most = Math.min(Math.max(0, ...numbers), numbers.length + MOST_MISSING + 1);
  return Array.from({ length: most }, (_, index) => index + 1).filter((number) => !numbers.includes(number));
}

function countOf(text: string): number {
  return text.split('{{').length - 1;
}

function listed(names: readonly string[]): string {
  return new Intl.ListFormat(locale(), { type: 'conjunction' }).format(names.map((name) => `{{${name}}}`));
}
