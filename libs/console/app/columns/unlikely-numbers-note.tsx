import { rich, t } from '../../language/translate';
import { PhoneNumber } from '../../ui/phone-number';
import { Note } from '../../ui/states';
import { unlikelyNumbers } from './unlikely-numbers';

/** Warns of numbers that nobody may have, before anything is sent to them. */
export function UnlikelyNumbersNote({ warnings }: { warnings: readonly string[] }) {
  const found = unlikelyNumbers(warnings);
  if (!found) return null;
  const { count, first } = found;
  return (
    <Note tone="warning">
      <p>
        {t(
          '{count, plural, one {# number does} other {# numbers do}} not exist in the numbering plan of the country: a digit may be missing or wrong. Correct the file, or send anyway.',
          { count },
        )}
      </p>
      <ul>
        {first.map(({ row, text, number }) => (
          <li key={row}>
            {rich('Row {row, number}: “{text}”, read as {number}', {
              row,
              text: <bdi dir="ltr">{text}</bdi>,
              number: <PhoneNumber value={number} />,
            })}
          </li>
        ))}
      </ul>
    </Note>
  );
}
