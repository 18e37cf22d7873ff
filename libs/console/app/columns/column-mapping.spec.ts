import {
  type ColumnField,
  columnOfError,
  confirmed,
  guessedMapping,
  isUncertain,
  missingFields,
  requestedColumns,
  SAME_FOR_ALL,
  sourcesOf,
  withLikely,
} from './column-mapping';
import { FIRST_NAMES, LAST_NAMES } from './name-headers';

const COLUMNS = [
  { column: 'A', header: 'Handy', use: null },
  { column: 'B', header: 'Name', use: null },
  { column: 'C', header: ' name', use: null },
  { column: 'D', header: null, use: null },
];
const FIELDS = [
  { key: 'phone', label: 'Phone', required: true },
  { key: 'values.0', label: '{{1}}', required: true },
  { key: 'values.1', label: '{{2}}', required: true },
  { key: 'quickReplyPayloads.1', label: 'Payload', required: false },
  { key: 'reference', label: 'Reference', required: false },
];

describe('The columns of a file', () => {
  it('are named by their header if it identifies them, otherwise by their letter', () => {
    expect(sourcesOf(COLUMNS)).toEqual([
      { source: 'Handy', label: 'Handy', index: 0 },
      { source: 'B', label: 'Name (column B)', index: 1 },
      { source: 'C', label: ' name (column C)', index: 2 },
      { source: 'D', label: 'Column D', index: 3 },
    ]);
  });

  it('are guessed for a field that tells its headers, of those without a use, to be confirmed', () => {
    const headers = [new Set(['vorname', 'firstname']), new Set(['name'])];
    const fields = [{ key: 'values.0', label: '{{1}}', required: true, headers }];
    const sources = sourcesOf(['Handy', 'Name', 'First name'].map((header) => ({ column: 'A', header, use: null })));
    expect(withLikely({}, fields, sources)).toEqual({ 'values.0': { source: 'First name', by: 'guess' } });
    const used = { phone: { source: 'First name', by: 'certain' } } as const;
    expect(withLikely(used, fields, sources)).toEqual({ ...used, 'values.0': { source: 'Name', by: 'guess' } });
    const known = { 'values.0': { source: 'Handy', by: 'certain' } } as const;
    expect(withLikely(known, fields, sources)).toEqual(known);
  });

  it('have a last name only beside a first name', () => {
    const names: ColumnField[] = [
      { key: 'name', label: 'Name', required: false, headers: [FIRST_NAMES] },
      {
        ...{ key: 'lastName', label: 'Last name', required: false, headers: [LAST_NAMES] },
        beside: { key: 'name', headers: FIRST_NAMES },
      },
    ];
    const sources = ['Vorname', 'Nachname', 'Name'].map((label, index) => ({ source: label, label, index }));
    expect(withLikely({}, names, sources)).toEqual({
      name: { source: 'Vorname', by: 'guess' },
      lastName: { source: 'Nachname', by: 'guess' },
    });
    const whole = { name: { source: 'Name', by: 'guess' } } as const;
    expect(withLikely(whole, names, sources)).toEqual(whole);
  });

  it('are guesses until a person confirms what is uncertain', () => {
    const guess = guessedMapping({
      phone: { source: 'Handy', confidence: 'high' },
      values: [
        { source: 'B', confidence: 'low' },
        { source: null, confidence: 'none' },
      ],
    });
    expect(guess).toEqual({ phone: { source: 'Handy', by: 'certain' }, 'values.0': { source: 'B', by: 'guess' } });
    expect(missingFields(guess, FIELDS).map(({ label }) => label)).toEqual(['{{2}}']);
    expect(isUncertain(guess)).toBe(true);
    expect(confirmed(guess)).toEqual({ ...guess, 'values.0': { source: 'B', by: 'person' } });
    expect(isUncertain(confirmed(guess))).toBe(false);
  });

  it('are guessed for the payload of a button', () => {
    const likely = (source: string) => ({ source, confidence: 'low' as const });
    expect(guessedMapping({ quickReplyPayloads: { 1: likely('Payload') }, flowToken: likely('Token') })).toEqual({
      'quickReplyPayloads.1': { source: 'Payload', by: 'guess' },
      flowToken: { source: 'Token', by: 'guess' },
    });
  });

  it('may have a text for all or for empty cells instead', () => {
    const by = 'person' as const;
    const phone = { source: 'Handy', by };
    const none = { phone, 'values.0': { source: SAME_FOR_ALL, by, text: ' ' }, 'values.1': { source: 'B', by } };
    expect(missingFields(none, FIELDS).map(({ key }) => key)).toEqual(['values.0']);
    const mapping = {
      ...{ phone, 'values.0': { source: SAME_FOR_ALL, by, text: ' SAVE10 ' } },
      'values.1': { source: 'B', by, text: 'there' },
    };
    expect(missingFields(mapping, FIELDS)).toEqual([]);
    expect(requestedColumns(mapping, FIELDS)).toMatchObject({
      values: [{ default: 'SAVE10' }, { column: 'B', default: 'there' }],
    });
    expect(columnOfError('parameter 1', mapping, sourcesOf(COLUMNS))).toBe(-1);
  });

  it('are requested by field, the values in the order of the template', () => {
    const by = 'person' as const;
    const mapping = {
      'values.1': { source: 'D', by },
      'values.0': { source: 'B', by },
      phone: { source: 'Handy', by },
      'quickReplyPayloads.1': { source: 'C', by },
      reference: undefined,
    };
    expect(requestedColumns(mapping, FIELDS)).toEqual({
      ...{ phone: 'Handy', values: ['B', 'D'] },
      quickReplyPayloads: { '1': 'C' },
    });
    const sources = sourcesOf(COLUMNS);
    expect(columnOfError('phone', mapping, sources)).toBe(0);
    expect(columnOfError('parameter 2', mapping, sources)).toBe(3);
    expect(columnOfError('attributes.Handy', mapping, sources)).toBe(0);
    expect(columnOfError('extras', mapping, sources)).toBe(-1);
  });
});
