import fc from 'fast-check';
import type { Database } from '../../src/infra/database/database';
import { describeOnDatabase } from '../support/databases';

const TEXT = fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0'));

describeOnDatabase('Lists in statements', (open) => {
  let database: Database;

  beforeAll(async () => {
    database = await open();
  });

  const given = async (type: string, list: unknown[]): Promise<unknown[]> => {
    const [row] = await database.rows<{ list: unknown[] }>(`SELECT to_jsonb($1::${type}[]) AS list`, [list]);
    return row!.list;
  };

  it('of texts arrive unchanged, with any characters', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.option(TEXT)), async (list) => {
        expect(await given('text', list)).toEqual(list);
      }),
      { numRuns: 300, examples: [[['NULL', 'null', '', ' ', '{}', ',', '"', '\\', '\n', 'é🎉', null]]] },
    ));

  it('of numbers arrive unchanged', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }))), async (list) => {
        expect(await given('float8', list)).toEqual(list.map((one) => (one === 0 ? 0 : one)));
      }),
      { numRuns: 100 },
    ));

  it('of times arrive unchanged, also before 1970 and without four digits', async () => {
    const list = [
      new Date(0),
      new Date(-1),
      new Date(Date.UTC(2026, 10, 23, 1, 2, 3, 4)),
      null,
      new Date(Date.UTC(9999, 11, 31, 23)),
      new Date(Date.UTC(12026, 0)),
    ];
    const rows = await database.rows<{ at: Date | null }>('SELECT unnest($1::timestamptz[]) AS at', [list]);
    expect(rows.map(({ at }) => at)).toEqual(list);
  });
});
