import { localDisplays, otherWarnings, repeatedRows } from './check-warnings';

const LOCAL =
  'Column B has dates or numbers that a spreadsheet program displays by its language: 2 rows, first row 3, which sends "12/1/2026". ' +
  'To send what you see, save the sheet as CSV UTF-8 and upload that file.';
const REPEATED =
  'repeated_people: 2 rows are for a person who has a row above with other contents, first row 24: these people get several messages. ';
const BOTH = `${REPEATED}The person of row 24 is also in row 2. Remove the rows unless this is intended.`;

describe('The warnings of a check', () => {
  const warnings = ['Sheet 2 is not read.', LOCAL, REPEATED];

  it('name the column and an example of dates that are sent in another form', () => {
    const columns = [
      { column: 'A', header: 'Handy', use: null },
      { column: 'B', header: 'Termin', use: null },
    ];
    expect(localDisplays({ warnings, columns })).toEqual([{ column: 'Termin', row: 3, text: '12/1/2026' }]);
    expect(localDisplays({ warnings })).toMatchObject([{ column: 'B' }]);
  });

  it('count rows of people who have another one', () => {
    expect(repeatedRows({ warnings })).toEqual({ rows: 2, first: 24, earlier: 0 });
    expect(repeatedRows({ warnings: [BOTH] })).toEqual({ rows: 2, first: 24, earlier: 2 });
  });

  it('are otherwise those of the service', () => {
    expect(otherWarnings({ warnings })).toEqual(['Sheet 2 is not read.']);
  });
});
