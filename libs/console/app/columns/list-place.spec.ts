import { otherSheetsWarnings } from '../../../recipient-files/sheets';
import { cellLanguageWarning } from '../../../recipient-files/cell-language';
import { cellLanguageOf, foundHeaderRow, isOfPlace, sheetsOf } from './list-place';

const OTHERS = ['Leads "Über 40", neu', 'C:\\D'];
const HEADER =
  'header_row: Row 3 was read as the header. What is above it was taken as a title and not read, such as "Kunden" in row 1. If this is wrong, ' +
  'send the row number of the header as headerRow.';

describe('The place of a list in a file', () => {
  it('has the sheets of the warning, whatever their names are', () => {
    const warnings = otherSheetsWarnings('Kunden "alt"', OTHERS);
    expect(sheetsOf([HEADER, ...warnings])).toEqual({ read: 'Kunden "alt"', others: OTHERS });
    expect([HEADER, ...warnings].map(isOfPlace)).toEqual([true, true]);
  });

  it('has the sheet that was found instead of the first', () => {
    expect(sheetsOf(otherSheetsWarnings('Kunden', ['Notizen'], true))).toEqual({ read: 'Kunden', others: ['Notizen'] });
  });

  it('has cells in a language', () => {
    expect(isOfPlace(cellLanguageWarning('de', '06.12.2026', '12/6/2026'))).toBe(true);
    expect(['de', 'pt_BR', 'en_US', 'en', 'xx'].map(cellLanguageOf)).toEqual([
      'de',
      'pt-BR',
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('has the sheets of the error of an empty one', () => {
    const message =
      'The first visible sheet, "Titel", has no rows. Other sheets with rows: "A", "B". To read one of them, send its name as sheet.';
    expect(sheetsOf([message])).toEqual({ read: 'Titel', others: ['A', 'B'] });
  });

  it('has the row of the header', () => {
    expect(foundHeaderRow(['Hidden rows were read.', HEADER])).toBe(3);
  });

  it('is not in other warnings', () => {
    const others = ['Column B has dates of both orders.'];
    expect([sheetsOf(others), foundHeaderRow(others), isOfPlace(others[0]!)]).toEqual([undefined, undefined, false]);
  });
});
