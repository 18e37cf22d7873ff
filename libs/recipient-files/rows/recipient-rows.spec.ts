import type { ReadOptions } from '../recipient-file';
import type { SheetRow } from '../sheet-row';
import { RecipientRows } from './recipient-rows';

const PHONE = '4915112345678';
const OTHER = '4915112345679';
const OPTIONS: ReadOptions = { valueCount: 2, header: 'absent', duplicates: 'skip', maxRows: 1_000 };

/** The result of rows of cells, numbered from 1. */
function outcomeOf(rows: (string[] | SheetRow)[], options: Partial<ReadOptions> = {}) {
  const recipients = new RecipientRows({ ...OPTIONS, ...options });
  rows.forEach((row, index) => {
    recipients.add(Array.isArray(row) ? { rowNumber: index + 1, cells: row } : row);
  });
  return { ...(recipients.takeBatch() ?? { rows: [], invalidRows: [] }), recipients };
}

const errorsOf = (cells: string[], options: Partial<ReadOptions> = {}) =>
  outcomeOf([cells], options).invalidRows.map(({ code, field }) => `${code} ${field}`);

describe('a row', () => {
  it('has a phone and its values, trimmed', () => {
    expect(outcomeOf([['+49 151 12345678', ' Anna ', '7']]).rows).toEqual([
      { rowNumber: 1, phone: PHONE, values: ['Anna', '7'] },
    ]);
  });

  it.each([
    [['', 'a', 'b'], 'phone_missing phone'],
    [['  ', 'a', 'b'], 'phone_missing phone'],
    [['Anna', 'a', 'b'], 'phone_invalid phone'],
    [['12345', 'a', 'b'], 'phone_invalid phone'],
    [['9.66512E+11', 'a', 'b'], 'phone_scientific_notation phone'],
    [[PHONE, 'a'], 'parameter_missing parameter 2'],
    [[PHONE, '', 'b'], 'parameter_missing parameter 1'],
    [[PHONE, ' \u00a0', 'b'], 'parameter_missing parameter 1'],
    [[PHONE, 'x'.repeat(1_025), 'b'], 'parameter_too_long parameter 1'],
    [[PHONE, 'a', 'a\0b'], 'parameter_invalid_characters parameter 2'],
    [[PHONE, 'a', 'b', 'c'], 'too_many_columns parameter 3'],
    [[PHONE, 'a', 'b', '', 'd'], 'too_many_columns parameter 4'],
  ])('%j has the error %s', (cells, error) => {
    expect(errorsOf(cells)).toEqual([error]);
  });

  it('with several errors reports the first, from left to right', () => {
    expect(errorsOf(['', '', 'x\0', 'd'])).toEqual(['phone_missing phone']);
    expect(errorsOf([PHONE, '', 'x\0', 'd'])).toEqual(['parameter_missing parameter 1']);
    expect(errorsOf([PHONE, 'a', 'x\0', 'd'])).toEqual(['parameter_invalid_characters parameter 2']);
  });

  it('may have blank cells beyond the values', () => {
    expect(errorsOf([PHONE, 'a', 'b', '', ' '])).toEqual([]);
  });

  it('of a template without values needs only a phone', () => {
    expect(errorsOf([PHONE], { valueCount: 0 })).toEqual([]);
    expect(errorsOf([PHONE, 'a'], { valueCount: 0 })).toEqual(['too_many_columns parameter 1']);
  });

  it('has a name besides its values if a later column is headed "name"', () => {
    const header = ['Name', 'order', ' NAME ', 'city'];
    const options = { valueCount: 'any' as const, header: 'present' as const, nameColumn: true };
    expect(outcomeOf([header, [PHONE, 'A-1', 'Anna', 'Bonn'], [OTHER, 'B-2']], options).rows).toEqual([
      { rowNumber: 2, phone: PHONE, values: ['A-1', 'Bonn'], name: 'Anna' },
      { rowNumber: 3, phone: OTHER, values: ['B-2'], name: '' },
    ]);
    const invalidRows = outcomeOf([header, [PHONE, 'a', 'b\0'], [PHONE, 'a', 'b', 'c\0']], options).invalidRows;
    expect(invalidRows.map(({ code, field }) => `${code} ${field}`)).toEqual([
      'parameter_invalid_characters name',
      'parameter_invalid_characters parameter 2',
    ]);
    expect(outcomeOf([header, [PHONE, 'a', 'b']], { ...options, nameColumn: false }).rows).toEqual([
      { rowNumber: 2, phone: PHONE, values: ['a', 'b'] },
    ]);
  });

  it('has all its values if any number is allowed', () => {
    expect(outcomeOf([[PHONE], [OTHER, '', 'b', '']], { valueCount: 'any' }).rows.map((row) => row.values)).toEqual([
      [],
      ['', 'b'],
    ]);
  });

  it('is parsed with the default country', () => {
    expect(outcomeOf([['0151 12345678', 'a', 'b']], { defaultCountry: 'DE' }).rows[0]?.phone).toBe(PHONE);
    expect(errorsOf(['0151 12345678', 'a', 'b'])).toEqual(['phone_invalid phone']);
  });

  it('reports its error with the printable content of the file', () => {
    const [error] = outcomeOf([['x\0'.repeat(100), 'y'.repeat(2_000), '\ud83d', 'd']]).invalidRows;
    expect(error).toEqual({
      rowNumber: 1,
      phone: 'x '.repeat(32).trim(),
      values: ['y'.repeat(1_024), '\ufffd', 'd'],
      code: 'phone_invalid',
      field: 'phone',
      message: expect.stringContaining('international format'),
    });
  });

  it('names the column as a spreadsheet program does', () => {
    const [error] = outcomeOf([[PHONE, ...Array<string>(25).fill('x'), '']], { valueCount: 26 }).invalidRows;
    expect(error).toMatchObject({ field: 'parameter 26', message: expect.stringContaining('Column AA') });
  });

  it('takes the phone from the stored number of the cell', () => {
    const row = { rowNumber: 1, cells: ['4.91511E+12', 'a', 'b'], firstNumber: 4915112345678 };
    expect(outcomeOf([row]).rows[0]?.phone).toBe(PHONE);
    expect(outcomeOf([{ ...row, firstNumber: -4915112345678 }]).invalidRows[0]).toMatchObject({
      code: 'phone_invalid',
      phone: '-4915112345678',
    });
  });

  it('with a formula that has no value is invalid where that value is used', () => {
    const row = (column: number, shown: string): SheetRow => ({
      rowNumber: 1,
      cells: [PHONE, 'a', 'b', ''].map((cell, index) => (index === column ? shown : cell)),
      withoutValue: new Map([[column, shown]]),
    });
    expect(outcomeOf([row(0, '')]).invalidRows[0]).toMatchObject({ code: 'formula_without_value', field: 'phone' });
    expect(outcomeOf([row(0, '#N/A')]).invalidRows[0]).toMatchObject({ code: 'phone_invalid', phone: '#N/A' });
    expect(outcomeOf([row(2, '')]).invalidRows[0]).toMatchObject({
      code: 'formula_without_value',
      field: 'parameter 2',
    });
    expect(outcomeOf([row(3, '')]).invalidRows[0]).toMatchObject({ code: 'too_many_columns', field: 'parameter 3' });
  });
});

describe('the first row', () => {
  it.each([
    [['Phone', 'Name'], true],
    [['', 'Name'], true],
    [['Telefon-Nr.'], true],
    [['Phone 1'], false],
    [['٤٩١٥'], false],
    [[PHONE, 'a', 'b'], false],
  ])('%j is a header: %s', (cells, isHeader) => {
    expect(outcomeOf([cells], { header: 'auto' }).recipients.headerCells !== undefined).toBe(isHeader);
  });

  it('is a header or not as the options say', () => {
    expect(outcomeOf([[PHONE, 'a', 'b']], { header: 'present' }).recipients).toMatchObject({
      headerCells: [PHONE, 'a', 'b'],
      counts: { rows: 0 },
    });
    expect(outcomeOf([['Phone', 'a', 'b']], { header: 'absent' }).invalidRows).toHaveLength(1);
  });

  it('is the first that is not blank, and only one row is a header', () => {
    const { recipients, invalidRows } = outcomeOf([[''], ['Phone', 'A', 'B'], ['Phone', 'A', 'B']], { header: 'auto' });
    expect(recipients.headerCells).toEqual(['Phone', 'A', 'B']);
    expect(invalidRows.map((error) => error.rowNumber)).toEqual([3]);
  });

  it('with an uncalculated phone formula is not a header', () => {
    const row = { rowNumber: 1, cells: ['', 'a', 'b'], withoutValue: new Map([[0, '']]) };
    expect(outcomeOf([row], { header: 'auto' }).invalidRows).toHaveLength(1);
  });
});

describe('duplicate rows', () => {
  const rows = [
    [PHONE, 'a', 'b'],
    ['+49 151 12345678', 'a ', ' b'],
    [PHONE, 'a', 'c'],
    [OTHER, 'a', 'b'],
  ];

  it('with the same phone and values are dropped and counted', () => {
    const { recipients, rows: kept } = outcomeOf(rows);
    expect(kept.map((row) => row.rowNumber)).toEqual([1, 3, 4]);
    expect(recipients.counts).toEqual({ rows: 3, invalidRows: 0, duplicates: 1 });
  });

  it('are dropped also if the number is written differently', () => {
    const twice = [
      ['+55 11 8765-4321', 'a', 'b'],
      ['+55 11 98765-4321', 'a', 'b'],
    ];
    expect(outcomeOf(twice).recipients.counts).toEqual({ rows: 1, invalidRows: 0, duplicates: 1 });
  });

  it('are kept if the options say so', () => {
    expect(outcomeOf(rows, { duplicates: 'keep' }).recipients.counts).toEqual({
      rows: 4,
      invalidRows: 0,
      duplicates: 0,
    });
  });
});

describe('all rows together', () => {
  it('may be as many as allowed, invalid ones and duplicates counted, header and blank rows not', () => {
    const rows = [['Phone'], [], [PHONE, 'a', 'b'], [PHONE, 'a', 'b'], ['bad', 'a', 'b']];
    expect(outcomeOf(rows, { header: 'auto', maxRows: 3 }).recipients.counts).toEqual({
      rows: 1,
      invalidRows: 1,
      duplicates: 1,
    });
    expect(() => outcomeOf([...rows, [OTHER, 'a', 'b']], { header: 'auto', maxRows: 3 })).toThrow(
      expect.objectContaining({ code: 'too_many_rows', limit: 3 }),
    );
  });

  it('have their blank rows counted up to the last non-blank one', () => {
    expect(outcomeOf([[''], [PHONE, 'a', 'b'], [' ', ''], [OTHER, 'a', 'b'], ['', '']]).recipients.emptyRows()).toBe(2);
  });

  it('give one warning about all values that were changed', () => {
    const { recipients } = outcomeOf([
      [PHONE, 'a\nb', 'c\td'],
      [OTHER, 'a', 'b     c'],
      [OTHER, 'a', 'b'],
    ]);
    expect(recipients.warnings()).toEqual([expect.stringMatching(/^2 rows: /)]);
    expect(outcomeOf([[PHONE, 'a', 'b']]).recipients.warnings()).toEqual([]);
  });

  it('give a warning if the file has fewer columns than the template needs', () => {
    const rows = [['Phone'], [PHONE, 'a'], [OTHER, 'b', '  ']];
    expect(outcomeOf(rows).recipients.warnings()).toEqual([
      'The file has 2 columns, but the template needs 3: the phone number and 2 values. Add what is missing, or choose the right template.',
    ]);
    expect(
      outcomeOf([
        ['Phone', 'Name', 'Order'],
        [PHONE, 'a'],
      ]).recipients.warnings(),
    ).toEqual([]);
    expect(outcomeOf(rows, { valueCount: 'any' }).recipients.warnings()).toEqual([]);
  });

  it('fill batches of 500, or of a million characters', () => {
    const recipients = new RecipientRows({ ...OPTIONS, valueCount: 'any' });
    for (let n = 0; n < 499; n++) recipients.add({ rowNumber: n + 1, cells: [PHONE, String(n)] });
    expect(recipients.isBatchFull()).toBe(false);
    recipients.add({ rowNumber: 500, cells: ['bad'] });
    expect(recipients.isBatchFull()).toBe(true);
    expect(recipients.takeBatch()).toMatchObject({ rows: { length: 499 }, invalidRows: { length: 1 } });
    expect(recipients.takeBatch()).toBeUndefined();
    for (let n = 0; n < 10; n++)
      recipients.add({ rowNumber: n + 1, cells: ['bad', ...Array<string>(100).fill('x'.repeat(1_024))] });
    expect(recipients.isBatchFull()).toBe(true);
  });
});
