import type { ReadOptions } from '../recipient-file';
import { RecipientRows } from './recipient-rows';

const PHONE = '4915112345678';
const OTHER = '4915112345679';

describe('attributes', () => {
  const kept = { maxCount: 3, maxNameLength: 10 };
  const HEADER = ['Mobile', 'First name', 'City', 'Note'];
  const outcomeWith = (cells: string[][], more: Partial<ReadOptions> = {}) => {
    const options: ReadOptions = {
      valueCount: 'any',
      header: 'auto',
      duplicates: 'keep',
      maxRows: 10,
      attributes: kept,
    };
    const recipients = new RecipientRows({ ...options, ...more });
    cells.forEach((row, index) => recipients.add({ rowNumber: index + 1, cells: row }));
    return { ...(recipients.takeBatch() ?? { rows: [], invalidRows: [] }), recipients };
  };

  it('are all columns but the phone, under their headers', () => {
    const rows = [HEADER, [PHONE, ' Ann ', '', 'a\nb']];
    expect(outcomeWith(rows).rows).toEqual([
      {
        ...{ rowNumber: 2, phone: PHONE, values: ['Ann', '', 'a b'] },
        attributes: { 'First name': 'Ann', City: '', Note: 'a b' },
      },
    ]);
  });

  it('are kept whatever columns are named', () => {
    const columns = { phone: 'Mobile', name: 'first name', values: ['City'] };
    const rows = [
      ['City', 'Note', 'Mobile', 'First name'],
      ['Bonn', 'x', PHONE, 'Ann'],
      ['', '', OTHER],
    ];
    expect(outcomeWith(rows, { columns }).rows).toEqual([
      {
        ...{ rowNumber: 2, phone: PHONE, values: ['Bonn'], name: 'Ann' },
        attributes: { City: 'Bonn', Note: 'x', 'First name': 'Ann' },
      },
      { rowNumber: 3, phone: OTHER, values: [''], name: '', attributes: { City: '', Note: '', 'First name': '' } },
    ]);
  });

  it('are kept beside names that join those of two columns, in any order', () => {
    const columns = { phone: 'A', values: [], lastName: 'Last', name: 'First' };
    const rows = [
      ['Mobile', 'First', 'Last'],
      [PHONE, 'Mira', 'Köhler'],
      [OTHER, '', 'Aydın'],
    ];
    expect(outcomeWith(rows, { columns }).rows.map(({ name, attributes }) => [name, attributes])).toEqual([
      ['Mira Köhler', { First: 'Mira', Last: 'Köhler' }],
      ['Aydın', { First: '', Last: 'Aydın' }],
    ]);
  });

  it('of an invalid value make the row invalid', () => {
    const columns = { phone: 'Mobile', values: [] };
    const { invalidRows } = outcomeWith([HEADER, [PHONE, 'Ann', 'x'.repeat(1_025)]], { columns });
    expect(invalidRows).toMatchObject([{ code: 'parameter_too_long', field: 'attributes.City' }]);
    expect(invalidRows[0]?.message).toContain('column C ("City")');
  });

  it('need a header that is unique and not too long, and there is room for some only; a warning names the others', () => {
    const header = ['Mobile', 'City', '', 'City', 'x'.repeat(11), 'a', 'b', 'c'];
    const { rows, recipients } = outcomeWith([header, [PHONE, 'Bonn', '2', '3', '4', '5', '6', '7']]);
    expect(rows[0]?.attributes).toEqual({ City: 'Bonn', a: '5', b: '6' });
    expect(recipients.warnings()).toEqual([expect.stringContaining('Not kept as attributes: D, E, H.')]);
  });

  it('are none without a header row, or where they are not wanted', () => {
    expect(outcomeWith([[PHONE, 'Ann']]).rows[0]).not.toHaveProperty('attributes');
    expect(outcomeWith([HEADER, [PHONE, 'Ann']], { attributes: undefined }).rows[0]).not.toHaveProperty('attributes');
  });
});
