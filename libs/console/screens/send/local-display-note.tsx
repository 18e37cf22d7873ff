import type { FileCheckDto, RecipientCheckDto } from '../../../client/generated/types.gen';
import { t } from '../../language/translate';
import { Note } from '../../ui/states';
import { localDisplays } from './check-warnings';

/** Warns of dates and numbers that are sent in another form than the file shows in the person's spreadsheet program. */
export function LocalDisplayNote({ check }: { check: RecipientCheckDto & Partial<Pick<FileCheckDto, 'columns'>> }) {
  const found = localDisplays(check);
  return (
    found.length > 0 && (
      <Note tone="warning">
        {found.map(({ column, row, text }) => (
          <p key={[column, row, text].join()}>
            {t(
              'The dates or numbers in column “{column}” are sent in the US format: row {row, number} sends “{text}”. To send what your spreadsheet program shows, save the sheet as “CSV UTF-8” and upload that file.',
              { column, row, text },
            )}
          </p>
        ))}
      </Note>
    )
  );
}
