import { parse } from 'csv-parse/sync';
import { csvText } from './csv-text';

/** The cells as a spreadsheet program reads them. */
const cellsOf = (csv: string) => parse(csv, { bom: true, record_delimiter: ['\r\n', '\n', '\r'] });

const BREAKS = [
  ['LF', '\n'],
  ['CRLF', '\r\n'],
  ['CR', '\r'],
  ['tab', '\t'],
  ['nothing', ''],
] as const;
const SIGNS = ['=', '+', '-', '@', '＝'];

describe('csvText', () => {
  it.each(BREAKS.flatMap(([name, before]) => SIGNS.map((sign) => [name, sign, before] as const)))(
    'keeps a text with %s and then %s in its cell, and starts no formula',
    (_, sign, before) => {
      const formula = `${before}${sign}HYPERLINK("https://example.com","Open")`;
      const inside = `Hello${formula}`;
      const csv = csvText([
        [formula, inside, 'a'],
        ['b', null, 'c'],
      ]);
      const rows = cellsOf(csv);
      expect(rows).toEqual([
        [`'${formula}`, inside, 'a'],
        ['b', '', 'c'],
      ]);
      // The inner quotation marks are doubled, so no line of the file begins a cell.
      expect(csv.startsWith(`"'`)).toBe(true);
    },
  );

  it('quotes every cell, and ends each row as in RFC 4180', () => {
    expect(csvText([['a', 'b;c', null]], { bom: true })).toBe('\ufeff"a","b;c",\r\n');
  });
});
