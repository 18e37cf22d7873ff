import type { ColumnSources, ReadOptions } from '../recipient-file';
import { RecipientRows } from './recipient-rows';

const PHONE = '4915112345678';
const HEADER = ['Nr', 'First name', 'Order', 'Mobile', 'Ref'];
const COLUMNS: ColumnSources = {
  phone: 'Mobile',
  values: ['First name', '', 'Order'],
  defaults: ['there', 'SAVE10', null],
  reference: 'Ref',
};
const OPTIONS: ReadOptions = { valueCount: 3, header: 'auto', duplicates: 'skip', maxRows: 10, columns: COLUMNS };

describe('The defaults of values', () => {
  const outcomeOf = (rows: string[][], options: Partial<ReadOptions> = {}) => {
    const recipients = new RecipientRows({ ...OPTIONS, ...options });
    [HEADER, ...rows].forEach((cells, index) => recipients.add({ rowNumber: index + 1, cells }));
    return { ...recipients.takeBatch()!, recipients };
  };

  it('stand for empty cells, and for values without a column', () => {
    const { rows, invalidRows, recipients } = outcomeOf([
      ['', 'Anna', 'A-1', PHONE, 'r'],
      ['', '  ', 'A-2', PHONE],
      ['', '', '', PHONE],
      ['', '', 'A-4', '12'],
    ]);
    expect(rows).toEqual([
      { rowNumber: 2, phone: PHONE, values: ['Anna', 'SAVE10', 'A-1'], reference: 'r' },
      { rowNumber: 3, phone: PHONE, values: ['there', 'SAVE10', 'A-2'] },
    ]);
    expect(invalidRows).toMatchObject([
      { rowNumber: 4, code: 'parameter_missing', field: 'parameter 3', values: ['there', 'SAVE10', ''] },
      { rowNumber: 5, code: 'phone_invalid', values: ['there', 'SAVE10', 'A-4'] },
    ]);
    expect(recipients.columns).toMatchObject({ values: [1, -1, 2], extras: [{ field: 'reference', column: 4 }] });
  });

  it('are not taken for the cells of the sheet', () => {
    const { rows, recipients } = outcomeOf(
      [
        ['7', '', 'A-1', PHONE],
        ['8', 'Ben', 'A-2', PHONE],
      ],
      { otherCells: true },
    );
    expect(recipients.layout().uses).toEqual([null, null, 'values.2', 'phone', 'reference']);
    expect(rows.map(({ otherCells }) => otherCells)).toEqual([['7'], ['8', 'Ben']]);
  });

  it('leave each column its place in a refusal', () => {
    const read = () => outcomeOf([], { columns: { ...COLUMNS, values: ['First name', '', 'x'] } });
    expect(read).toThrow('columns.values[2] is "x"');
  });
});
