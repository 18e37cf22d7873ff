import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { Workbook } from 'exceljs';
import { type XlsxRow, xlsxStream } from './xlsx-stream';

const HEADER = ['row', 'phone', 'value'];

async function* partsOf(...parts: XlsxRow[][]): AsyncGenerator<XlsxRow[]> {
  for (const part of parts) yield await Promise.resolve(part);
}

async function sheetsOf(file: Buffer): Promise<unknown[][][]> {
  const book = new Workbook();
  await book.xlsx.load(file as unknown as ArrayBuffer);
  return book.worksheets.map((sheet) => {
    const rows: unknown[][] = [];
    sheet.eachRow((row) => rows.push((row.values as unknown[]).slice(1)));
    return rows;
  });
}

describe('xlsxStream', () => {
  it('writes the header and all rows, strings as strings and numbers as numbers', async () => {
    const rows = [
      [2, '004915112345678', '=1+1'],
      [3, '4915112345678', ' <b> & "Ann"\'s  '],
      [4, '1e5', 'مرحبا 😀\nsecond line\t.'],
    ];
    const file = await buffer(xlsxStream(HEADER, partsOf(rows.slice(0, 2), [], rows.slice(2))));
    expect(await sheetsOf(file)).toEqual([[HEADER, ...rows]]);
  });

  it('has a bold, frozen header with filters in every sheet, and columns as wide as their contents', async () => {
    const rows = [
      [1, '4915112345678', 'x'.repeat(300)],
      [2, '4915112345679', ''],
    ];
    const book = new Workbook();
    await book.xlsx.load((await buffer(xlsxStream(HEADER, partsOf(rows), 2, 'Tabelle'))) as unknown as ArrayBuffer);
    expect(book.worksheets.map(({ name }) => name)).toEqual(['Tabelle1', 'Tabelle2']);
    for (const sheet of book.worksheets) {
      expect(sheet.views).toMatchObject([{ state: 'frozen', ySplit: 1 }]);
      expect(sheet.autoFilter).toBe('A1:C2');
      expect([1, 2].map((row) => sheet.getCell(row, 2).font?.bold ?? false)).toEqual([true, false]);
      expect(HEADER.map((_, index) => sheet.getColumn(index + 1).width)).toEqual([8, 15, 60]);
    }
  });

  it('cuts a string that is too long for a cell', async () => {
    const file = await buffer(xlsxStream(HEADER, partsOf([[2, 'x', 'a'.repeat(40_000)]])));
    expect(await sheetsOf(file)).toEqual([[HEADER, [2, 'x', 'a'.repeat(32_767)]]]);
  });

  it('omits empty cells, and names columns beyond Z', async () => {
    const header = Array.from({ length: 60 }, (_, index) => `column ${index + 1}`);
    const row = header.map((_, index) => (index === 27 || index === 59 ? 'filled' : index === 3 ? '' : null));
    const [sheet] = await sheetsOf(await buffer(xlsxStream(header, partsOf([row]))));
    expect(sheet![0]).toEqual(header);
    expect(Object.entries(sheet![1]!)).toEqual([
      ['27', 'filled'],
      ['59', 'filled'],
    ]);
  });

  it.each([7, 9, 1000])('loses no row between chunks, with %i rows per sheet', async (rowsPerSheet) => {
    // 16 rows per chunk.
    const rows = Array.from({ length: 40 }, (_, n): XlsxRow => [n, 'a', 'b'.repeat(2048)]);
    const sheets = await sheetsOf(
      await buffer(xlsxStream(HEADER, partsOf(rows.slice(0, 33), rows.slice(33)), rowsPerSheet)),
    );
    expect(sheets.flatMap(([, ...others]) => others)).toEqual(rows);
  });

  it('continues in a new sheet when one is full, and adds no sheet without rows', async () => {
    const rows = (first: number, last: number): XlsxRow[] =>
      Array.from({ length: last - first + 1 }, (_, n) => [first + n, 'a', 'b']);
    const numbersIn = async (...parts: XlsxRow[][]): Promise<unknown[][]> => {
      const sheets = await sheetsOf(await buffer(xlsxStream(HEADER, partsOf(...parts), 4)));
      return sheets.map(([header, ...others]) => {
        expect(header).toEqual(HEADER);
        return others.map(([number]) => number);
      });
    };
    expect(await numbersIn(rows(1, 2), rows(3, 8))).toEqual([
      [1, 2, 3],
      [4, 5, 6],
      [7, 8],
    ]);
    expect(await numbersIn(rows(1, 6), [])).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    expect(await numbersIn()).toEqual([[]]);
  });

  it('reads no more parts than needed, and returns them when it is destroyed', async () => {
    let taken = 0;
    let returned = false;
    async function* endless(): AsyncGenerator<XlsxRow[]> {
      try {
        for (;;) {
          taken++;
          // Incompressible.
          yield await Promise.resolve(
            Array.from({ length: 500 }, () => [1, Math.random().toString(36), Math.random().toString(36)]),
          );
        }
      } finally {
        returned = true;
      }
    }
    const file = xlsxStream(HEADER, endless());
    let pauses = 0;
    for (let seen = -1; seen !== taken || pauses < 20; pauses = seen === taken ? pauses + 1 : 0) {
      seen = taken;
      await new Promise(setImmediate);
    }
    expect(taken).toBeLessThan(50);
    file.destroy();
    await once(file, 'close');
    while (!returned) await new Promise(setImmediate);
  });

  it('fails with the error of its parts', async () => {
    async function* broken(): AsyncGenerator<XlsxRow[]> {
      yield [[1, 'a', 'b']];
      throw await Promise.resolve(new Error('The connection was lost'));
    }
    await expect(buffer(xlsxStream(HEADER, broken()))).rejects.toThrow('The connection was lost');
  });
});
