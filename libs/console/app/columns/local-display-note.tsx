import { t } from '../../language/translate';
import { Note } from '../../ui/states';
import { dateOrders, localDisplays, type Warned } from './check-warnings';

/** Warns of dates and numbers that are sent in another form than the person's spreadsheet program shows, or may be read as another day. */
export function LocalDisplayNote({ check }: { check: Warned }) {
  const found = localDisplays(check);
  const dates = dateOrders(check);
  return (
    found.length + dates.length > 0 && (
      <Note tone="warning">
        {found.map(({ column, row, text }) => (
          <p key={[column, row, text].join()}>
            {t(
              'The dates or numbers in column “{column}” are sent in the US format: row {row, number} sends “{text}”. To send what your spreadsheet program shows, save the sheet as “CSV UTF-8” and upload that file.',
              { column, row, text },
            )}
          </p>
        ))}
        {dates.map(({ column, row, text, other }) => (
          <p key={column}>
            {other
              ? t(
                  'The dates in column “{column}” are not all in one order, and are sent as they are: row {row, number} has “{text}”, row {otherRow, number} has “{other}”.',
                  { column, row, text, otherRow: other.row, other: other.text },
                )
              : t(
                  'The dates in column “{column}” can be read with the day or the month first, and are sent as they are: row {row, number} sends “{text}”.',
                  { column, row, text },
                )}
          </p>
        ))}
      </Note>
    )
  );
}
