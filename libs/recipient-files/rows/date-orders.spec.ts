import { DateOrders } from './date-orders';

const warningsOf = (texts: string[], isNumber = false): string[] => {
  const orders = new DateOrders();
  texts.forEach((text, index) => orders.add(index + 2, 'C', text, isNumber));
  return orders.warnings();
};

describe('dates of a column', () => {
  it('of both orders have a warning with one of each', () => {
    expect(warningsOf(['03/04/2026', '04/25/2026', '25/04/2026', '26/04/2026'])).toEqual([
      'Column C has dates of both orders, day first and month first, which are sent as typed: row 3 has "04/25/2026", row 4 has "25/04/2026". ' +
        'Write all dates in one order.',
    ]);
  });

  it.each(['03/04/2026', '3/4/26', '03-04-2026', '03/04/2026 14:00'])(
    'have one if %s can be read both ways',
    (text) => {
      expect(warningsOf(['x', text, text])).toEqual([
        expect.stringContaining(`as typed: 2 rows, first row 3, which sends "${text}".`),
      ]);
    },
  );

  it.each([
    [['03/04/2026', '25/04/2026']],
    [['03/04/2026', '04/25/2026']],
    [['04/04/2026']],
    [['03.04.2026', '2026-04-03', '3 April 2026', '']],
    [['99/99/2026', '13/14/2026', '1/2', '1-2-30', '03/04/2026x']],
  ])('have none if no date is ambiguous: %p', (texts) => {
    expect(warningsOf(texts)).toEqual([]);
  });

  it('that the file stores as numbers are not typed, but have an order', () => {
    expect(warningsOf(['3/4/2026'], true)).toEqual([]);
    const orders = new DateOrders();
    orders.add(2, 'B', '4/25/2026', true);
    orders.add(3, 'B', '25/04/2026', false);
    expect(orders.warnings()).toEqual([expect.stringContaining('both orders')]);
  });
});
