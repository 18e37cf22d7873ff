import { utils, write } from '@e965/xlsx';
import { buildWorkbook, relations, sheetXml, workbookXml } from './fixtures/build-workbook';
import { readBytes } from './fixtures/read-bytes';
import type { ReadOptions } from './recipient-file';

const LEADS = 'Leads "Über 40", neu';

/** The bytes of a workbook with these sheets; those whose name starts with # are hidden. */
function workbookOf(bookType: 'xlsx' | 'biff8', sheets: Record<string, unknown[][]>): Buffer {
  const book = utils.book_new();
  for (const [name, rows] of Object.entries(sheets)) utils.book_append_sheet(book, utils.aoa_to_sheet(rows), name);
  book.Workbook = { Sheets: book.SheetNames.map((name) => ({ name, Hidden: name.startsWith('#') ? 1 : 0 })) };
  return write(book, { type: 'buffer', bookType }) as Buffer;
}

const SHEETS = {
  '#Listen': [['4915100000009', 'hidden']],
  Kunden: [
    ['Telefon', 'Name'],
    ['4915112345671', 'Anna'],
  ],
  Leer: [[]],
  [LEADS]: [['4915112345672', 'Ben']],
  Blanks: [['  ']],
  Café: [['4915112345673', 'Zoé']],
};

describe.each(['xlsx', 'biff8'] as const)('a workbook (%s) with several sheets', (bookType) => {
  const read = (options: Partial<ReadOptions> = {}, sheets: Record<string, unknown[][]> = SHEETS) =>
    readBytes(workbookOf(bookType, sheets), options);

  it('has a warning with the visible ones that have rows and were not read', async () => {
    const { rows, summary } = await read();
    expect(rows.map(({ values }) => values)).toEqual([['Anna']]);
    expect(summary.warnings).toEqual([
      `other_sheets: Only the sheet "Kunden" was read. Other sheets with rows: "Leads \\"Über 40\\", neu", "Café". To read one of them, ` +
        'send its name as sheet.',
    ]);
  });

  it('has none if no other sheet has rows', async () => {
    const { Kunden, Leer, '#Listen': hidden } = SHEETS;
    expect((await read({}, { '#Listen': hidden, Kunden, Leer })).summary.warnings).toEqual([]);
  });

  it.each([
    [LEADS, 'Ben'],
    ['  leads "ÜBER 40",  neu', 'Ben'],
    ['Cafe\u0301', 'Zoé'],
    ['#Listen', 'hidden'],
  ])('is read by the name %s, without a warning', async (sheet, name) => {
    const { rows, summary } = await read({ sheet });
    expect(rows.map(({ values }) => values)).toEqual([[name]]);
    expect(summary.warnings).toEqual([]);
  });

  it('is refused for an unknown name, with all names', async () => {
    await expect(read({ sheet: 'Kunde' })).rejects.toMatchObject({
      code: 'sheet_not_found',
      message:
        'sheet is "Kunde", but the file has no such sheet. Its sheets are: "#Listen", "Kunden", "Leer", "Leads \\"Über 40\\", neu", "Blanks", "Café".',
    });
  });

  it('is refused if the first one is empty and none has phone numbers, with those that have rows', async () => {
    const sheets = { Deckblatt: [[]], Kunden: [['Telefon', 'Name']] };
    await expect(read({}, sheets)).rejects.toMatchObject({
      code: 'file_empty',
      message:
        'The first visible sheet, "Deckblatt", has no rows. Other sheets with rows: "Kunden". To read one of them, send its name as sheet.',
    });
    await expect(read({ sheet: 'deckblatt' }, sheets)).rejects.toMatchObject({
      code: 'file_empty',
      message: expect.stringMatching(/^The sheet "Deckblatt" has no rows\. Put the phone numbers/),
    });
  });
});

describe.each(['xlsx', 'biff8'] as const)('a workbook (%s) whose first sheet has no list', (bookType) => {
  const LIST = [['Kunden Mai'], ['Name', 'Handy'], ['Anna', '4915112345671'], ['Ben', '4915112345672']];
  const NOTES = [['Notizen'], ['Bitte bis 03.04.2026 senden'], ['Budget', 12_500]];
  const read = (sheets: Record<string, unknown[][]>, options: Partial<ReadOptions> = {}) =>
    readBytes(workbookOf(bookType, sheets), options);
  const NAMED = { phone: 'Handy', values: ['Name'] };
  const FOUND =
    'Only the sheet "Kunden" was read, the first with phone numbers or the named columns. Other sheets with rows: "Notizen"';

  it.each<[string, Partial<ReadOptions>, string[]]>([
    ['named columns', { columns: NAMED }, ['Anna', 'Ben']],
    ['a column letter', { columns: { phone: 'B', values: ['A'] } }, ['Anna', 'Ben']],
    ['any column, for a guess', { anyColumn: true, header: 'absent', cells: true }, []],
  ])('is read from the first sheet with %s', async (_, options, names) => {
    const { rows, summary } = await read({ '#Alt': LIST, Notizen: NOTES, Kunden: LIST, Archiv: LIST }, options);
    expect(summary).toMatchObject({
      sheetName: 'Kunden',
      warnings: expect.arrayContaining([expect.stringContaining(FOUND)]),
    });
    expect(rows.map(({ values }) => values[0])).toEqual(names);
  });

  it('is read by position from the first sheet with numbers in its first column', async () => {
    const numbers = [['4915112345671', 'Anna']];
    expect((await read({ Notizen: NOTES, Liste: LIST, Kunden: numbers })).summary.sheetName).toBe('Kunden');
    const first = await read({ Zahlen: [[4915112345672, 'Ben']], Kunden: [['Telefon', 'Name'], ...numbers] });
    expect(first.rows.map(({ values }) => values)).toEqual([['Ben']]);
    expect(first.summary.warnings).toEqual([
      'other_sheets: Only the sheet "Zahlen" was read. Other sheets with rows: "Kunden". To read one of them, send its name as sheet.',
    ]);
    expect((await read({ Personen: [['DE.ABC123', 'Cy']], Kunden: numbers })).summary.sheetName).toBe('Personen');
  });

  it('is read from the first sheet if no other has a list', async () => {
    const headerOnly = [['Name', 'Handy']];
    for (const options of [{}, { anyColumn: true }, { columns: { phone: 'A', values: [] } }]) {
      expect((await read({ Notizen: NOTES, Kunden: headerOnly }, options)).summary.sheetName).toBe('Notizen');
    }
  });

  it('is read from a sheet with the headers and people below, in the row that is named', async () => {
    const sheets = { Vorlage: [['Name', 'Handy']], Notizen: NOTES, Kunden: LIST };
    for (const headerRow of [undefined, 2]) {
      const { rows } = await read(sheets, { columns: NAMED, headerRow, header: headerRow ? 'present' : 'auto' });
      expect(rows.map(({ values }) => values)).toEqual([['Anna'], ['Ben']]);
    }
  });
});

describe('other sheets of an xlsx file', () => {
  const row = '<row><c><v>4915112345678</v></c></row>';
  const withSheets = (second: string, target = 'worksheets/sheet2.xml', type = 'worksheet') =>
    readBytes(
      buildWorkbook({
        rows: row,
        workbook: workbookXml('<sheet name="One" sheetId="1" r:id="rId1"/><sheet name="Two" sheetId="2" r:id="rId2"/>'),
        workbookRelations: relations([
          ['rId1', 'worksheet', 'worksheets/sheet1.xml'],
          ['rId2', type, target],
        ]),
        change: (parts) => [...parts, { name: 'xl/worksheets/sheet2.xml', content: second }],
      }),
    );

  it.each([
    ['formats only', sheetXml('<row><c s="1"/><c s="2"><f>A1</f></c></row>')],
    ['only a page header', '<worksheet><sheetData/><headerFooter><t>Title</t></headerFooter></worksheet>'],
    ['damaged XML', '<worksheet><sheetData><row></worksheet>'],
  ])('with %s have no rows', async (_, xml) => {
    expect((await withSheets(xml)).summary).toMatchObject({ rows: 1, warnings: [] });
  });

  it('count with a value far below empty rows, and not if they are charts or missing', async () => {
    const empty = '<row><c s="1"/></row>'.repeat(5_000);
    expect((await withSheets(sheetXml(empty + row))).summary.warnings).toEqual([
      expect.stringContaining('rows: "Two".'),
    ]);
    expect((await withSheets(sheetXml(row), 'chartsheets/sheet1.xml', 'chartsheet')).summary.warnings).toEqual([]);
    expect((await withSheets(sheetXml(row), 'worksheets/missing.xml')).summary.warnings).toEqual([]);
  });
});

it('A sheet of a CSV file cannot be named', async () => {
  await expect(readBytes('4915112345678\n', { sheet: 'Kunden' })).rejects.toMatchObject({
    code: 'sheet_not_found',
    message: 'sheet is "Kunden", but a CSV file has no sheets. Omit sheet.',
  });
});
