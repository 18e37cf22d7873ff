import type { RowErrorDto } from '../../client/generated/types.gen';
import { errorLines } from './row-errors';

const invalid = (rowNumber: number): RowErrorDto => ({
  rowNumber,
  field: 'phone',
  code: 'phone_invalid',
  message: `"${rowNumber}" is not a phone number.`,
});

describe('The errors of a checked file', () => {
  it('are shown once each, with the first rows', () => {
    const missing: RowErrorDto = {
      rowNumber: 9,
      field: 'parameter 1',
      code: 'parameter_missing',
      message: 'Value 1 is empty.',
    };
    const lines = errorLines(
      [
        { code: 'phone_invalid', count: 5000 },
        { code: 'parameter_missing', count: 1 },
      ],
      [2, 3, 4, 5, 6, 7].map(invalid).concat(missing),
    );
    expect(lines).toEqual([
      '5000 errors (phone_invalid), rows 2, 3, 4, 5, 6, …: "2" is not a phone number.',
      '1 error (parameter_missing), row 9: Value 1 is empty.',
    ]);
  });

  it('are counted alone if none of their rows is among the first 100 errors', () => {
    expect(errorLines([{ code: 'text_too_long', count: 3 }], [invalid(2)])).toEqual(['3 × text_too_long']);
  });
});
