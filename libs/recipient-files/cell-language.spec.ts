import { utils, write } from '@e965/xlsx';
import { Workbook } from 'exceljs';
import { isCellLanguage } from './cell-language';
import { readBytes } from './fixtures/read-bytes';
import { NumberFormats } from './number-formats';

/** 09:05 of 6 December 2026, a Sunday. */
const MORNING = 46_362.37847;

describe('a date in the language of a spreadsheet program', () => {
  it.each([
    ['de', 14, '06.12.2026'],
    ['de', 15, '06. Dez. 2026'],
    ['de', 16, '06. Dez.'],
    ['de', 17, 'Dez. 2026'],
    ['de', 18, '09:05'],
    ['de', 19, '09:05:00'],
    ['de', 20, '09:05'],
    ['de', 21, '09:05:00'],
    ['de', 22, '06.12.2026 09:05'],
    ['de', 'm/d/yy', '06.12.2026'],
    ['de', 'm/d/yyyy;@', '06.12.2026'],
    ['de', 'mm-dd-yy', '06.12.2026'],
    ['de', 'mm/dd/yyyy hh:mm', '06.12.2026 09:05'],
    ['de', 'm/d', '6.12.'],
    ['de', 'dd/mm/yyyy', '06.12.2026'],
    ['de', 'd\\.\\ mmmm\\ yyyy', '6. Dezember 2026'],
    ['de', '[$-407]dddd, d. mmm yy;@', 'Sonntag, 6. Dez 26'],
    ['de', '[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy', 'Sonntag, 6. Dezember 2026'],
    ['de', 'dd.mm.yyyy', '06.12.2026'],
    ['de', 'yyyy-mm-dd', '2026-12-06'],
    ['de', '"dd/mm" d', 'dd/mm 6'],
    ['de', '[$-409]d mmmm yyyy;@', '6 December 2026'],
    ['de-AT', 14, '06.12.2026'],
    ['fr', 14, '06/12/2026'],
    ['fr', 'd mmmm yyyy', '6 décembre 2026'],
    ['ru', 'd mmmm yyyy', '6 декабря 2026'],
    ['ru', 'mmmm yyyy', 'декабрь 2026'],
    ['th', 14, '6/12/2026'],
    ['en-US', 14, '12/6/2026'],
    ['en-GB', 14, '06/12/2026'],
  ])('%s: %s is %s', (language, format, text) => {
    expect(new NumberFormats(false, language).text(MORNING, format)).toBe(text);
  });

  it('counts days as the file does', () => {
    expect(new NumberFormats(true, 'de').text(MORNING - 1462, 14)).toBe('06.12.2026');
    expect(new NumberFormats(false, 'de').text(1, 14)).toBe('01.01.1900');
    expect(new NumberFormats(false, 'de').text(-1, 14)).toBe(new NumberFormats(false).text(-1, 14));
  });
});

describe('a number in the language of a spreadsheet program', () => {
  it.each([
    ['de', '#,##0.00 €', 1234.5, '1.234,50 €'],
    ['de', '#,##0.00 [$€-407]', 1234.5, '1.234,50 €'],
    ['de', '[$Fr.-807] #,##0.00', 1234.5, 'Fr. 1.234,50'],
    ['de', '"Nr. "0.0', 1.5, 'Nr. 1,5'],
    ['de', 4, 1234.5, '1.234,50'],
    ['de', 10, 0.125, '12,50%'],
    ['de', undefined, 0.3, '0,3'],
    ['de', '@', 2.5, '2,5'],
    ['de', undefined, 4915112345678, '4915112345678'],
    ['de', '0', 7731, '7731'],
    ['fr', '#,##0.00', 1234.5, '1\u202f234,50'],
    ['es', '#,##0.00', 1234.5, '1.234,50'],
    ['en', '#,##0.00', 1234.5, '1,234.50'],
  ])('%s: %s of %d is %s', (language, format, number, text) => {
    expect(new NumberFormats(false, language).text(number, format)).toBe(text);
  });
});

it.each([
  ['de', true],
  ['de-AT', true],
  ['zh-Hant-TW', true],
  ['xx', false],
  ['de_DE', false],
  ['German', false],
  ['', false],
])('the language %p is known: %s', (language, isKnown) => {
  expect(isCellLanguage(language)).toBe(isKnown);
});

describe('A workbook', () => {
  const ROWS = [
    ['Telefon', 'Tag', 'Termin', 'Betrag', 'Text', 'ISO'],
    ['4915112345678', 46_362, 46_362, 1234.5, '12/6/2026', 46_362],
  ];
  const FORMATS = [undefined, 'm/d/yy', 'd. mmmm yyyy', '#,##0.00 "€"', undefined, 'yyyy-mm-dd'];
  const GERMAN = ['06.12.2026', '6. Dezember 2026', '1.234,50 €', '12/6/2026', '2026-12-06'];
  const NOTE =
    /^cell_language: .* in the language de shows them, such as "06\.12\.2026" instead of "12\/6\/(2026|26)"\./;

  const xlsx = async () => {
    const workbook = new Workbook();
    const sheet = workbook.addWorksheet('Kunden');
    ROWS.forEach((row) => sheet.addRow(row));
    FORMATS.forEach((format, column) => {
      // exceljs writes this code as the built-in format 14.
      if (format) sheet.getCell(2, column + 1).numFmt = format === 'm/d/yy' ? 'mm-dd-yy' : format;
    });
    return Buffer.from(await workbook.xlsx.writeBuffer());
  };
  const xls = () => {
    const sheet = utils.aoa_to_sheet(ROWS);
    FORMATS.forEach((z, column) => z && Object.assign(sheet[utils.encode_cell({ r: 1, c: column })] as object, { z }));
    return write(
      { SheetNames: ['Kunden'], Sheets: { Kunden: sheet } },
      { type: 'buffer', bookType: 'biff8' },
    ) as Buffer;
  };

  it.each([
    ['xlsx', xlsx],
    ['xls', xls],
  ])('(%s) is read in the language', async (_, bytes) => {
    const { rows, summary } = await readBytes(await bytes(), { cellLanguage: 'de', cells: true });
    expect(rows[0]!.values).toEqual(GERMAN);
    expect(summary.warnings.filter((text) => !text.includes('read with the day'))).toEqual([
      expect.stringMatching(NOTE),
    ]);
  });

  it('is read by its formats, in English, without a language', async () => {
    const { rows, summary } = await readBytes(await xlsx(), { cells: true });
    expect(rows[0]!.values).toEqual(['12/6/2026', '6. December 2026', '1,234.50 €', '12/6/2026', '2026-12-06']);
    const ofColumns = summary.warnings.filter((text) => text.includes('displays by its language'));
    expect(ofColumns.map((text) => text.slice(0, 8))).toEqual(['Column B', 'Column C', 'Column D']);
  });
});
