import type { FileCheckDto } from '../../client/generated/types.gen';
import { adviceOnColumns, suggestedOption } from './column-advice';

describe('The advice to name columns', () => {
  const check = (codes: string[], invalidRows: number) =>
    ({
      ...{ totalRecipients: 9, invalidRows },
      errorsByCode: codes.map((code) => ({ code, count: 1 })),
    }) as FileCheckDto;

  it.each([
    ['every row has a column too many', ['too_many_columns'], 9],
    ['some rows have a column too many', ['phone_invalid', 'too_many_columns'], 2],
    ['no row has a number', ['phone_missing', 'phone_invalid'], 9],
    ['no row fits, and some miss a value', ['too_many_columns', 'parameter_missing', 'phone_missing'], 9],
    ['most rows are wrong, most of them for this reason', ['phone_invalid', 'phone_missing', 'parameter_missing'], 8],
  ])('is given if %s', (_, codes, invalidRows) => {
    expect(adviceOnColumns(check(codes, invalidRows))).toContain('name them with --columns');
  });

  it.each([
    ['there is no error', [], 0],
    ['only some numbers are wrong', ['phone_invalid'], 2],
    ['there are other errors only', ['parameter_missing'], 9],
    ['most errors are others', ['phone_invalid', 'parameter_missing', 'parameter_too_long'], 8],
  ])('is not given if %s', (_, codes, invalidRows) => {
    expect(adviceOnColumns(check(codes, invalidRows))).toBe('');
  });
});

describe('The suggested option', () => {
  const column = (letter: string, header: string | null, use: string | null) => ({ column: letter, header, use });
  const guess = (source: string | null) => ({ source, confidence: 'high' as const });

  it('has the guess, and for values without one the columns that are left, in their order', () => {
    const columns = [column('A', 'Handy', 'phone'), column('B', 'Vorname', null), column('C', "Kids' club", null)];
    const suggestedColumns = { phone: guess('Handy'), values: [guess(null), guess(null), guess(null)] };
    expect(suggestedOption({ suggestedColumns, columns })).toBe(
      String.raw`--columns '{"phone":"Handy","values":["Vorname","Kids'\'' club","…"]}'`,
    );
  });

  it('has the columns of user ids, file names, payloads and flow tokens that were found', () => {
    const suggestedColumns = {
      ...{ phone: guess('Phone'), userId: guess('User ID'), flowToken: guess('Token') },
      ...{ headerMediaFileName: guess('File'), quickReplyPayloads: { 1: guess('Payload') } },
    };
    expect(suggestedOption({ suggestedColumns })).toBe(
      `--columns '{"phone":"Phone","userId":"User ID","headerMediaFileName":"File","flowToken":"Token","quickReplyPayloads":{"1":"Payload"}}'`,
    );
  });

  it('has the column of the header media, and letters for columns without a header', () => {
    const columns = [column('A', null, null), column('B', null, 'phone')];
    const suggestedColumns = { phone: guess('B'), values: [guess(null)], headerMediaUrl: guess('Invoice') };
    expect(suggestedOption({ suggestedColumns, columns })).toBe(
      `--columns '{"phone":"B","values":["A"],"headerMediaUrl":"Invoice"}'`,
    );
  });
});
