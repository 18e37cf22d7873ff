import {
  columnOfError,
  confirmed,
  guessedMapping,
  isUncertain,
  missingFields,
  requestedColumns,
  sourcesOf,
} from './column-mapping';

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
