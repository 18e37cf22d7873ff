import { rich, t } from '../../language/translate';
import { Button } from '../../ui/button';
import { PhoneNumber } from '../../ui/phone-number';
import { Note } from '../../ui/states';
import { countryName } from '../calling-codes';
import { ambiguousNumbers } from './ambiguous-numbers';

/** Warns of numbers that may be those of other people, before anything is sent to them. */
export function AmbiguousNumbersNote({
  warnings,
  onCountry,
}: {
  warnings: readonly string[];
  /** Reads the file again with the country; absent: not possible here. */
  onCountry?: (country: string) => void;
}) {
  const found = ambiguousNumbers(warnings);
  if (!found) return null;
  const { count, row, isNational } = found;
  const country = countryName(found.country);
  const values = {
    ...{ count, row, country, text: <bdi dir="ltr">{found.text}</bdi> },
    number: <PhoneNumber value={found.number} />,
    other: <PhoneNumber value={found.other} />,
  };
  return (
    <Note tone="warning">
      <p>
        {rich(
          isNational
            ? '{count, plural, one {# number without a country code is} other {# numbers without a country code are}} valid in two countries and read as numbers from {country}: “{text}” in row {row, number} as {number}, not as {other}.'
            : '{count, plural, one {# number without a country code is} other {# numbers without a country code are}} valid in two countries and not read as numbers from {country}: “{text}” in row {row, number} is read as {number}, not as {other}.',
          values,
        )}{' '}
        {t('Where that is wrong, write + and the country code before the number in the file.')}
      </p>
      {/* Without the country, other rows would be read differently too. */}
      {onCountry && !isNational && (
        <Button small onClick={() => onCountry(found.country)}>
          {t('Use the other reading')}
        </Button>
      )}
    </Note>
  );
}
