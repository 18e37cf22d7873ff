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

  it('has the error of the user id if that is invalid and there is no number', () => {
    const columns = { phone: 'A', userId: 'B', values: ['C', 'D'] };
    expect(errorsOf(['', 'DE 1', 'a', 'b'], { columns })).toEqual(['user_id_invalid userId']);
    expect(errorsOf(['', '', 'a', 'b'], { columns })).toEqual(['phone_missing phone']);
    expect(errorsOf(['12', 'DE 1', 'a', 'b'], { columns })).toEqual(['phone_invalid phone']);
  });

  it('is invalid with a message about the default country, or that there is none', () => {
    const messageOf = (defaultCountry?: string) =>
      outcomeOf([['Anna', 'a', 'b']], { defaultCountry }).invalidRows.map(({ message }) => message);
    expect(messageOf('DE')).toEqual([
      expect.stringMatching(/ National numbers are read as numbers of the default country, DE\.$/),
    ]);
    expect(messageOf()).toEqual([expect.stringMatching(/ need a default country, of the import or of the account\.$/)]);
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

  it('is a header if the options say so', () => {
    expect(outcomeOf([[PHONE, 'a', 'b']], { header: 'present' }).recipients).toMatchObject({
      headerCells: [PHONE, 'a', 'b'],
      counts: { rows: 0 },
    });
    expect(outcomeOf([['Phone', 'a', 'b']], { header: 'absent' }).invalidRows).toHaveLength(1);
  });

  it('is the first non-blank row, and only one row is a header', () => {
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

  it('are dropped even if the number is written differently', () => {
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
  it('are limited in number, counting invalid and duplicate rows but not header and blank rows', () => {
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

  it('count blank rows up to the last non-blank one', () => {
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

describe('columns by name', () => {
  const columns = { phone: 'Handy', values: ['Vorname', 'Order'] };
  const header = ['Nr 1', ' Vorname ', 'ORDER', 'Handy', 'Link', 'Ref'];
  const named = (rows: (string[] | SheetRow)[], options: Partial<ReadOptions> = {}) =>
    outcomeOf([header, ...rows], { header: 'auto', columns, ...options });
  const refusal = (given: Partial<ReadOptions>, headers = header) => {
    try {
      outcomeOf([headers], { header: 'auto', columns, ...given });
    } catch (error) {
      return error;
    }
    return undefined;
  };

  it('are found by header or letter, and other columns are ignored', () => {
    expect(named([['7', 'Anna', 'A-1', '+49 151 12345678', 'x', 'y', 'z']]).rows).toEqual([
      { rowNumber: 2, phone: PHONE, values: ['Anna', 'A-1'] },
    ]);
    const letters = { phone: 'D', values: ['C', 'B'] };
    expect(named([['7', 'Anna', 'A-1', PHONE]], { columns: letters })).toMatchObject({
      rows: [{ values: ['A-1', 'Anna'] }],
      recipients: { headerCells: header.map((cell) => cell.trim()), columns: { phone: 3, values: [2, 1] } },
    });
    expect(named([], { columns, header: 'present' }).recipients.counts.rows).toBe(0);
  });

  it('prefer the exact header, then a header to a letter', () => {
    const headers = ['order', 'Order', 'A', 'Handy'];
    const row = ['1', '2', '3', PHONE];
    const read = (values: string[]) =>
      outcomeOf([headers, row], { header: 'auto', columns: { phone: 'Handy', values } }).rows[0]?.values;
    expect(read(['Order', 'order'])).toEqual(['2', '1']);
    expect(read(['A', 'B'])).toEqual(['3', '2']);
  });

  it('may be letters in a file without a header row', () => {
    const letters = { phone: 'B', values: ['A', 'AA'] };
    const row = ['Anna', PHONE, ...Array<string>(24).fill(''), 'last'];
    for (const header of ['auto', 'absent'] as const) {
      expect(outcomeOf([row], { header, columns: letters }).rows[0]?.values).toEqual(['Anna', 'last']);
    }
  });

  it('that are unknown refuse the file, with its headers and the nearest', () => {
    expect(refusal({ columns: { phone: 'Hendy', values: [] } })).toMatchObject({
      code: 'column_not_found',
      availableColumns: ['Nr 1', 'Vorname', 'ORDER', 'Handy', 'Link', 'Ref'],
      message: expect.stringMatching(/^columns.phone is "Hendy", .* Did you mean "Handy"\? /),
    });
    expect(refusal({ columns: { phone: 'Hendy', values: ['x', 'DE'] } })).toMatchObject({
      code: 'column_not_found',
      message: expect.stringMatching(
        /phone is "Hendy", .*values\[0\] is "x", .*values\[1\] is "DE", .* Its columns are/,
      ),
    });
    expect(refusal({ header: 'absent' })).toMatchObject({ code: 'column_not_found', availableColumns: [] });
  });

  it('with the header of several refuse the file, with their letters', () => {
    expect(refusal({}, ['Handy', 'Vorname', 'vorname', 'VORNAME', 'Order', 'Handy'])).toMatchObject({
      code: 'column_not_found',
      message: 'columns.phone is "Handy", which is the header of several columns: A, F. Name the column by its letter.',
    });
  });

  it('are named in the errors of rows', () => {
    const { invalidRows } = named([
      ['', 'Anna', '', PHONE],
      ['', 'Anna', 'A-1', '12'],
    ]);
    expect(invalidRows).toMatchObject([
      { code: 'parameter_missing', field: 'parameter 2', message: expect.stringContaining('Column C ("ORDER")') },
      { code: 'phone_invalid', field: 'phone', phone: '12', values: ['Anna', 'A-1'] },
    ]);
  });

  it('may fill extras and a reference, where they are filled in', () => {
    const all = {
      ...{ ...columns, headerMediaUrl: 'Link', reference: 'Ref' },
      ...{ quickReplyPayloads: { '0': 'A' }, flowToken: 'G', headerMediaFileName: 'H' },
    };
    const rows = [
      ['yes', 'Anna', 'A-1', PHONE, 'https://files.example.com/1.pdf', 'K-1', 'token', '1.pdf'],
      ['', 'Anna', 'A-1', OTHER],
    ];
    expect(named(rows, { columns: all }).rows).toEqual([
      {
        ...{ rowNumber: 2, phone: PHONE, values: ['Anna', 'A-1'], reference: 'K-1' },
        extras: {
          headerMediaUrl: 'https://files.example.com/1.pdf',
          headerMediaFileName: '1.pdf',
          quickReplyPayloads: { '0': 'yes' },
          flowToken: 'token',
        },
      },
      { rowNumber: 3, phone: OTHER, values: ['Anna', 'A-1'] },
    ]);
  });

  it.each([
    [{ headerMediaUrl: 'E' }, 'ftp://example.com/1.pdf', 'headerMediaUrl'],
    [{ headerMediaUrl: 'E' }, 'https://example.com/a b.pdf', 'headerMediaUrl'],
    [{ headerMediaId: 'E' }, 'a/b', 'headerMediaId'],
    [{ headerMediaFileName: 'E' }, 'a/b.pdf', 'headerMediaFileName'],
    [{ reference: 'E' }, 'x'.repeat(256), 'reference'],
    [{ flowToken: 'E' }, 'a\nb', 'flowToken'],
    [{ quickReplyPayloads: { '1': 'E' } }, 'x'.repeat(257), 'quickReplyPayloads.1'],
  ])('%j with an invalid text are an error of the row', (extra, text, field) => {
    const { invalidRows } = named([['', 'Anna', 'A-1', PHONE, text]], { columns: { ...columns, ...extra } });
    const message = expect.stringContaining('column E ("Link")') as string;
    expect(invalidRows).toMatchObject([{ code: 'parameter_invalid', field, message }]);
  });

  it('make rows duplicates only if extras and reference are the same, too', () => {
    const row = (reference: string) => ['', 'Anna', 'A-1', PHONE, '', reference];
    const rows = [row('1'), row('1'), row('2')];
    expect(named(rows, { columns: { ...columns, reference: 'Ref' } }).recipients.counts.duplicates).toBe(1);
    expect(named(rows).recipients.counts.duplicates).toBe(2);
  });

  it('take the phone from the stored number of the cell', () => {
    const cells = ['', 'Anna', 'A-1', '4.91511E+12'];
    const row = { rowNumber: 2, cells, numbers: new Map([[3, 4915112345678]]) };
    expect(named([row], { cells: true }).rows).toEqual([
      { rowNumber: 2, phone: PHONE, values: ['Anna', 'A-1'], cells: ['', 'Anna', 'A-1', PHONE] },
    ]);
  });

  it('leave the cells of a row whole', () => {
    const cells = ['7', 'Anna', '', PHONE, 'x'];
    expect(named([cells], { cells: true }).invalidRows).toMatchObject([{ code: 'parameter_missing', cells }]);
    expect(named([cells]).invalidRows[0]).not.toHaveProperty('cells');
  });
});
