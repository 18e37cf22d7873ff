import { cellLanguageWarning } from '../../../recipient-files/cell-language';
import { LocalDisplays } from '../../../recipient-files/rows/local-displays';
import { AmbiguousNumbers } from '../../../phone-numbers/ambiguous-numbers';
import { UnlikelyNumbers } from '../../../phone-numbers/unlikely-numbers';
import { PhoneNumbers } from '../../../phone-numbers/phone-numbers';
import { ambiguousNumbers } from './ambiguous-numbers';
import { unlikelyNumbers } from './unlikely-numbers';
import { DateOrders } from '../../../recipient-files/rows/date-orders';
import { dateOrders, dependsOnLanguage, localDisplays, otherWarnings, repeatedRows } from './check-warnings';

const LOCAL =
  'Column B has dates or numbers that a spreadsheet program displays by its language: 2 rows, first row 3, which sends "12/1/2026". ' +
  'To send what you see, save the sheet as CSV UTF-8 and upload that file.';
const REPEATED =
  'repeated_people: 2 rows are for a person who has a row above with other contents, first row 24: these people get several messages. ';
const BOTH = `${REPEATED}The person of row 24 is also in row 2. Send with onDuplicates=onePerPerson, or remove the rows, unless this is intended.`;

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

  it('name the columns of dates that may be read as another day, as the service writes them', () => {
    const orders = new DateOrders();
    orders.add(2, 'B', '25/04/2026', false);
    orders.add(3, 'B', '04/25/2026', false);
    orders.add(4, 'C', '03/04/2026', false);
    const columns = [{ column: 'B', header: 'Termin', use: null }];
    expect(dateOrders({ warnings: orders.warnings(), columns })).toEqual([
      { column: 'Termin', row: 2, text: '25/04/2026', other: { row: 3, text: '04/25/2026' } },
      { column: 'C', row: 4, text: '03/04/2026', other: undefined },
    ]);
    expect(otherWarnings({ warnings: orders.warnings() })).toEqual([]);
  });

  it('count rows of people who have another one', () => {
    expect(repeatedRows({ warnings })).toEqual({ rows: 2, first: 24, earlier: 0 });
    expect(repeatedRows({ warnings: [BOTH] })).toEqual({ rows: 2, first: 24, earlier: 2 });
  });

  it.each([true, false])(
    'name numbers that are valid in two countries as the service writes them, national: %s',
    (nationalFirst) => {
      const rules = { defaultCountry: 'DE', nationalFirst };
      const counted = new AmbiguousNumbers(rules);
      const reading = new PhoneNumbers('DE', nationalFirst).reading('15123456789')!;
      for (const row of [2, 4]) counted.add(row, '15123456789', reading);
      expect(ambiguousNumbers([LOCAL, ...counted.warnings()])).toEqual({
        ...{ count: 2, country: 'DE', row: 2, text: '15123456789', isNational: nationalFirst },
        ...{ number: reading.number, other: reading.other },
      });
      expect(otherWarnings({ warnings: counted.warnings() })).toEqual([]);
    },
  );

  it('name numbers that no country has, as the service writes them', () => {
    const unlikely = new UnlikelyNumbers();
    for (const row of [2, 4, 5, 6]) unlikely.add(row, '49151234', () => '0151 "2\\34", row 9');
    const first = [2, 4, 5].map((row) => ({ row, text: '0151 "2\\34", row 9', number: '49151234' }));
    expect(unlikelyNumbers([LOCAL, ...unlikely.warnings()])).toEqual({ count: 4, first });
    expect(otherWarnings({ warnings: unlikely.warnings() })).toEqual([]);
  });

  it('show that cells depend on the language, written in it or not', () => {
    const displays = new LocalDisplays();
    displays.add(2, 'B', '12/6/2026');
    const written = cellLanguageWarning('de', '06.12.2026', '12/6/2026');
    for (const texts of [[written], displays.warnings()]) expect(dependsOnLanguage([REPEATED, ...texts])).toBe(true);
    expect(dependsOnLanguage([REPEATED])).toBe(false);
  });

  it('are otherwise those of the service', () => {
    expect(otherWarnings({ warnings })).toEqual(['Sheet 2 is not read.']);
    expect(ambiguousNumbers(warnings)).toBeUndefined();
  });
});
