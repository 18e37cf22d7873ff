import type { ReadOptions } from '../recipient-file';
import { RecipientRows } from './recipient-rows';

const PHONE = '4915112345678';
const OTHER = '4915112345679';
const OPTIONS: ReadOptions = { valueCount: 1, header: 'absent', duplicates: 'skip', maxRows: 1_000 };

describe('a sheet', () => {
  const columns = { phone: 'A', userId: 'B', values: ['C'] };
  const mayBeIdentified = (rows: string[][], numbers: Record<string, string> = {}, more: Partial<ReadOptions> = {}) => {
    const recipients = new RecipientRows({ ...OPTIONS, columns, ...more }, true);
    rows.forEach((cells, index) => recipients.add({ rowNumber: index + 1, cells }));
    return recipients.mayBeIdentifiedBelow(numbers);
  };

  it('is read a second time only for people whose number is neither known nor in a row above', () => {
    expect(mayBeIdentified([['', 'DE.1', 'a']])).toBe(true);
    expect(mayBeIdentified([['', 'DE.1', 'a']], { 'DE.1': PHONE })).toBe(false);
    expect(
      mayBeIdentified([
        [PHONE, 'DE.1', 'a'],
        ['', 'DE.1', 'a'],
      ]),
    ).toBe(false);
    expect(
      mayBeIdentified([
        [PHONE, '', 'a'],
        [OTHER, 'DE.1', 'a'],
      ]),
    ).toBe(false);
    expect(mayBeIdentified([['DE.1', '', 'a']], {}, { columns: { phone: 'A', values: ['C'] } })).toBe(false);
  });
});
