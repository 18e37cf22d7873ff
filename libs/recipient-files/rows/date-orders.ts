const DATE = /^(\d{1,2})(?:\/(\d{1,2})\/(?:\d{4}|\d{2})|-(\d{1,2})-\d{4})(?=$|[ ,T])/;
const MONTHS = 12;
const DAYS = 31;

interface Example {
  row: number;
  text: string;
}

/** The dates of a column: the first of each order, and those that have either, among them typed ones. */
interface Column {
  dayFirst?: Example;
  monthFirst?: Example;
  either?: Example;
  eitherRows: number;
}

/** Collects dates that may be read as another day: 03/04/2026 is in March or in April. They are sent as typed. */
export class DateOrders {
  private readonly columns = new Map<string, Column>();

  /** Adds a value; `isNumber`: it is the display of a stored date, about which LocalDisplays warns. */
  add(row: number, column: string, text: string, isNumber: boolean): void {
    const [, first, second = 0, hyphenated = second] = DATE.exec(text) ?? [];
    if (first === undefined) return;
    const [a, b] = [Number(first), Number(hyphenated)];
    if (a < 1 || b < 1 || Math.max(a, b) > DAYS || Math.min(a, b) > MONTHS || a === b) return;
    const dates = this.columns.get(column) ?? { eitherRows: 0 };
    this.columns.set(column, dates);
    if (a > MONTHS) dates.dayFirst ??= { row, text };
    else if (b > MONTHS) dates.monthFirst ??= { row, text };
    else if (!isNumber) {
      dates.either ??= { row, text };
      dates.eitherRows++;
    }
  }

  /** At most one warning for each column: a date of one known order implies that of the others. */
  warnings(): string[] {
    return [...this.columns].flatMap(([column, { dayFirst, monthFirst, either, eitherRows }]) => {
      if (dayFirst && monthFirst) {
        const examples = [dayFirst, monthFirst].sort((a, b) => a.row - b.row);
        const [first, second] = examples.map(({ row, text }) => `row ${row} has "${text}"`);
        return [
          `Column ${column} has dates of both orders, day first and month first, which are sent as typed: ${first}, ${second}. ` +
            'Write all dates in one order.',
        ];
      }
      if (dayFirst || monthFirst || !either) return [];
      return [
        `Column ${column} has dates that can be read with the day or the month first, which are sent as typed: ${eitherRows} ` +
          `${eitherRows === 1 ? 'row' : 'rows'}, first row ${either.row}, which sends "${either.text}". Write the month as a word if ` +
          'readers may take it for another day.',
      ];
    });
  }
}
