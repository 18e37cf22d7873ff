const NAMES = (['short', 'long'] as const).flatMap((style) =>
  Array.from({ length: 12 }, (_, month) =>
    new Date(Date.UTC(2026, month)).toLocaleString('en', { month: style, timeZone: 'UTC' }),
  ),
);
/** English names of months. */
const MONTH = new RegExp(`\\b(?:${NAMES.join('|')})\\b`);
/** Dates with slashes, and numbers with a decimal point or thousands separators. */
const LOCAL = /^\d{1,4}\/\d{1,2}(\/\d{1,4})?( |$)|^\D*(\d{1,3}(,\d{3})+(\.\d+)?|\d+\.\d+)\D*$/;

/** Collects numeric cells whose text depends on the language of the spreadsheet program; they are sent as in the United States. */
export class LocalDisplays {
  private readonly columns = new Map<string, { rows: number; firstRow: number; text: string }>();

  /** Adds the displayed text of a numeric cell. */
  add(rowNumber: number, column: string, text: string): void {
    if (!LOCAL.test(text) && !MONTH.test(text)) return;
    const counted = this.columns.get(column);
    if (counted) counted.rows++;
    else this.columns.set(column, { rows: 1, firstRow: rowNumber, text });
  }

  /** One warning for each column. */
  warnings(): string[] {
    return [...this.columns].map(
      ([column, { rows, firstRow, text }]) =>
        `Column ${column} has dates or numbers that a spreadsheet program displays by its language: ${rows} ${rows === 1 ? 'row' : 'rows'}, first ` +
        `row ${firstRow}, which sends "${text}". To send what you see, send the language of that program as cellLanguage, such as de, or save the ` +
        'sheet as CSV UTF-8 and upload that file.',
    );
  }
}
