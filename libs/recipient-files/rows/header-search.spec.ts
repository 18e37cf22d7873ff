import { utils, write } from '@e965/xlsx';
import { suggestColumns } from '../columns/suggest-columns';
import { LOOKED_AT } from '../columns/title-rows';
import { readBytes } from '../fixtures/read-bytes';
import type { ReadOptions } from '../recipient-file';

const BY_HEADER: Partial<ReadOptions> = { columns: { phone: 'Handy', values: ['Vorname'] }, valueCount: 1 };
const LIST = ['Handy;Vorname', '+4915112345671;Anna', '+4915112345672;Ben'];
const csv = (...lines: string[]) => lines.join('\n') + '\n';
const read = (lines: string[], options: Partial<ReadOptions> = {}) => readBytes(csv(...lines), options);

/** Lines with the row of the header, from 1; its rows above are titles. */
const FOUND: [string, string[], number][] = [
  ['a title', ['Kunden Mai 2026', ...LIST], 2],
  ['a title and blank rows', ['Kunden Mai 2026', '', ';', ...LIST], 4],
  ['a title, a date and a number of pages', ['Kunden', 'Stand: 12.05.2026', '12.05.2026;Seite 1', ...LIST], 4],
  ['a title with commas', ['Kunden, Partner, Mai 2026', ...LIST], 2],
  ['a title with a word for phones', ['WhatsApp-Kunden Mai', ...LIST], 2],
  ['merged groups of columns', ['Kontakt;;Bestellung', 'Telefon;Name;Nr', '0151 12345671;Anna;4711'], 2],
  ['a title above a header without such a word', ['Customers May 2026', 'No;Name', '+4915112345671;Anna'], 2],
  ['a header that contains a number', ['Kunden', 'Handy 1;Name', '+4915112345671;Anna'], 2],
  ['a first number that is wrong', ['Kunden', 'Handy;Name', 'k. A.;Anna', '+4915112345671;Ben'], 2],
];
const NOT_FOUND: [string, string[]][] = [
  ['its header is the first row', LIST],
  ['its header is the first row, of one cell', ['Phone;', '+4915112345671;Anna']],
  ['its header has no word for phones', ['No;Name', '+4915112345671;Anna']],
  ['it repeats its header', [...LIST, ...LIST]],
  ['its header follows numbers', ['+4915112345673;Eva', ...LIST]],
  ['it has no header', ['+4915112345671;Anna', 'k. A.;Ben', '+4915112345672;Eva']],
  ['it has one column', ['Number', 'unknown', '+4915112345671']],
  ['it has no numbers below', ['Title', 'Handy;Vorname', 'a;b']],
];

describe('rows above the header', () => {
  it.each(FOUND)('are left out: %s', async (_, lines, header) => {
    const { rows, invalidRows, summary } = await read(lines, { defaultCountry: 'DE' });
    const first = lines.findIndex((line) => line.replaceAll(';', '') !== '') + 1;
    expect(summary.headerCells).toEqual(lines[header - 1]!.split(';'));
    expect([...rows, ...invalidRows].map(({ rowNumber }) => rowNumber).sort()).toEqual(
      lines.slice(header).map((__, index) => header + index + 1),
    );
    expect(summary.warnings).toEqual([
      expect.stringMatching(
        new RegExp(`^header_row: Row ${header} was read as the header\\. .* in row ${first}\\. If .* as headerRow\\.$`),
      ),
    ]);
    expect(summary.emptyRows).toBe(lines.filter((line) => line.replaceAll(';', '') === '').length);
  });

  it.each(NOT_FOUND)('are not looked for if %s', async (_, lines) => {
    const { rows, invalidRows, summary } = await read(lines, { duplicates: 'keep' });
    const hasHeader = summary.headerCells !== undefined;
    expect(rows.length + invalidRows.length).toBe(lines.length - (hasHeader ? 1 : 0));
    expect(hasHeader && summary.headerCells).toEqual(hasHeader && lines[0]!.replace(/;$/, '').split(';'));
    expect(summary.warnings).toEqual([]);
  });

  it.each(['present', 'absent'] as const)('are read if the header is %s', async (header) => {
    const { summary } = await read(FOUND[0]![1], { header });
    expect(summary.headerCells).toEqual(header === 'present' ? ['Kunden Mai 2026'] : undefined);
  });

  it.each(['auto', 'present'] as const)(
    'are left out if columns are named by headers of a later row (%s)',
    async (header) => {
      const lines = ['Meine Liste; 2026', ...LIST];
      const { rows, summary } = await read(lines, { ...BY_HEADER, header });
      expect(rows.map(({ rowNumber, values }) => [rowNumber, ...values])).toEqual([
        [3, 'Anna'],
        [4, 'Ben'],
      ]);
      expect(summary.warnings).toEqual([expect.stringContaining('such as "Meine Liste" in row 1')]);
    },
  );

  it('do not hide that a header is missing', async () => {
    const columns = { phone: 'Mobil', values: [] };
    await expect(read(['Kunden', ...LIST], { columns })).rejects.toMatchObject({
      code: 'column_not_found',
      availableColumns: ['Kunden'],
    });
  });

  it('are looked for in the first rows alone', async () => {
    const titles = Array.from({ length: 12 }, (_, n) => `Zeile ${'x'.repeat(n)}`);
    expect((await read([...titles, ...LIST])).summary.headerCells).toEqual(['Zeile']);
  });

  it('of a workbook may be merged, above numbers stored as numbers', async () => {
    const sheet = utils.aoa_to_sheet([
      ['Kunden "Süd" Mai 2026'],
      [],
      ['Handy', 'Vorname'],
      [4915112345671, 'Anna'],
      ['nope', 'Ben'],
    ]);
    sheet['!merges'] = [{ s: { r: 0, c: 0 }, e: { r: 0, c: 1 } }];
    const book = utils.book_new();
    utils.book_append_sheet(book, sheet, 'Kunden');
    for (const bookType of ['xlsx', 'biff8'] as const) {
      const { rows, invalidRows, summary } = await readBytes(write(book, { type: 'buffer', bookType }) as Buffer);
      expect(rows).toMatchObject([{ rowNumber: 4, phone: '4915112345671', values: ['Anna'] }]);
      expect(invalidRows).toMatchObject([{ rowNumber: 5, code: 'phone_invalid' }]);
      expect(summary.warnings).toEqual([
        'header_row: Row 3 was read as the header. What is above it was taken as a title and not read, such as "Kunden "Süd" Mai 2026" in ' +
          'row 1. If this is wrong, send the row number of the header as headerRow.',
      ]);
    }
  });

  it('are left out of a guess of the columns', () => {
    const rows = FOUND[1]![1].filter((line) => line.replaceAll(';', '') !== '').map((line) => line.split(';'));
    const values = [{ title: 'Vorname', name: null }];
    expect(suggestColumns(rows, { header: 'auto', values, media: false })).toEqual({
      phone: { source: 'Handy', confidence: 'high' },
      values: [{ source: 'Vorname', confidence: 'high' }],
    });
  });
});

describe('a named header row', () => {
  it('is the header, whatever its cells are; rows above are not read', async () => {
    const lines = ['+4915112345670;old', '', '12345 Handy;67890', ...LIST.slice(1)];
    const { rows, invalidRows, summary } = await read(lines, { headerRow: 3 });
    expect(rows.map(({ rowNumber, values }) => [rowNumber, ...values])).toEqual([
      [4, 'Anna'],
      [5, 'Ben'],
    ]);
    expect([invalidRows, summary.headerCells, summary.emptyRows]).toEqual([[], ['12345 Handy', '67890'], 1]);
    expect(summary.warnings).toEqual([]);
  });

  it('may be far below', async () => {
    const notes = Array.from({ length: 2_000 }, () => 'note');
    const { summary } = await read([...notes, ...LIST.map((line) => line.replace(';', ','))], {
      headerRow: 2_001,
      ...BY_HEADER,
    });
    expect(summary).toMatchObject({ rows: 2, invalidRows: 0, headerCells: ['Handy', 'Vorname'] });
  });

  it.each([1, 99])('is refused if it is empty: %i', async (headerRow) => {
    await expect(read(['', ...LIST, ...LIST.map(() => '')], { headerRow })).rejects.toMatchObject({
      code: 'header_row_empty',
      message: expect.stringContaining(`headerRow is ${headerRow}, but that row of the file is empty.`),
    });
  });

  it('does not change the order of many rows', async () => {
    const numbers = Array.from({ length: LOOKED_AT * 40 }, (_, n) => `+49151${10_000_000 + n};x`);
    const { rows } = await read([...LIST.slice(0, 1), ...numbers], { headerRow: 1 });
    expect(rows.map(({ rowNumber }) => rowNumber)).toEqual(numbers.map((_, index) => index + 2));
  });
});
