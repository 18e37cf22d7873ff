import { locale, t } from '../../language/translate';
import { Select } from '../../ui/select';
import type { ColumnCheck } from './use-column-check';

/** The header is near the top, below titles at most. */
const ROWS_TO_CHOOSE = 20;
const NOT_CHOSEN = '';
const IN_LANGUAGE = 'language';
const IN_FILE = 'file';

/** Which sheet of a workbook is read, if several have rows, which row is the header, where that is not certain, and the language of its cells. */
export function ListPlaceFields({
  check: { sheets, sheet, headerRow, asksHeaderRow, setPlace, cellLanguage, isInLanguage, setInLanguage },
  disabled = false,
}: {
  check: Pick<
    ColumnCheck<unknown>,
    'sheets' | 'sheet' | 'headerRow' | 'asksHeaderRow' | 'setPlace' | 'cellLanguage' | 'isInLanguage' | 'setInLanguage'
  >;
  disabled?: boolean;
}) {
  if (sheets.length === 0 && !asksHeaderRow && cellLanguage === undefined) return null;
  const rows = Array.from({ length: Math.max(ROWS_TO_CHOOSE, headerRow ?? 0) }, (_, index) => String(index + 1));
  const none = { value: NOT_CHOSEN, label: t('Choose a row') };
  return (
    <div className="list-place">
      {sheets.length > 0 && (
        <Select
          label={t('Sheet')}
          hint={t('Several sheets have rows. Only this one is read.')}
          value={sheet}
          choices={sheets.map((name) => ({ value: name, label: name }))}
          disabled={disabled}
          onChange={(name) => setPlace({ sheet: name })}
        />
      )}
      {asksHeaderRow && (
        <Select
          label={t('Header row')}
          hint={
            headerRow === undefined
              ? t('The row with the names of the columns, if it is not the first.')
              : t('The row with the names of the columns. Rows above it are not read.')
          }
          value={headerRow === undefined ? NOT_CHOSEN : String(headerRow)}
          choices={[
            ...(headerRow === undefined ? [none] : []),
            ...rows.map((row) => ({ value: row, label: t('Row {row}', { row }) })),
          ]}
          disabled={disabled}
          onChange={(row) => setPlace({ ...(sheets.length > 0 && { sheet }), headerRow: Number(row) })}
        />
      )}
      {cellLanguage !== undefined && (
        <Select
          label={t('Dates and numbers in')}
          value={isInLanguage ? IN_LANGUAGE : IN_FILE}
          choices={[
            { value: IN_LANGUAGE, label: languageName(cellLanguage) },
            { value: IN_FILE, label: t('As in the file') },
          ]}
          disabled={disabled}
          onChange={(next) => setInLanguage(next === IN_LANGUAGE)}
        />
      )}
    </div>
  );
}

function languageName(tag: string): string {
  const { language } = new Intl.Locale(tag);
  return new Intl.DisplayNames(locale(), { type: 'language' }).of(language) ?? language;
}
