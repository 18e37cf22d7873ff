import { readdirSync, readFileSync } from 'node:fs';
import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { utils, write } from '@e965/xlsx';
import { buildWorkbook } from './fixtures/build-workbook';
import { ANY_COLUMNS, withFile } from './fixtures/read-bytes';
import { readRecipientFile } from './read-recipient-file';
import type { ReadOptions, ReadSummary, RowBatch } from './recipient-file';

const FIXTURES = join(__dirname, 'fixtures');
const GREETINGS = [
  ['4915112345678', '13%', '2024-01-31', '1,234.50 €', 'TRUE', 'Grüße'],
  ['4915112345679', '100%', '1999-12-31', '-0.50 €', 'FALSE', 'مرحبا'],
  ['966501234567', '1%', '2000-02-29', '1,000,000.00 €', 'TRUE', 'emoji 😀'],
];

async function readAll(
  path: string,
  options: Partial<ReadOptions> = {},
): Promise<{ batches: RowBatch[]; summary: ReadSummary }> {
  const reading = readRecipientFile(path, { ...ANY_COLUMNS, ...options });
  const batches: RowBatch[] = [];
  for await (const batch of reading.batches) batches.push(batch);
  return { batches, summary: await reading.summary };
}

/** A csv file with `count` rows. */
const csv = (rows: number): string =>
  Array.from({ length: rows }, (_, n) => `49151${String(10_000_000 + n)},Name ${n}\n`).join('');

describe('files of other programs', () => {
  const files = readdirSync(FIXTURES).filter((name) => /\.(xlsx|xls|csv)$/.test(name) && !name.includes('oddities'));

  it('have a fixture each', () => {
    expect(files.length).toBeGreaterThanOrEqual(11);
  });

  it.each(files)('%s is read as displayed', async (name) => {
    const { batches, summary } = await readAll(join(FIXTURES, name), { valueCount: 5 });
    expect(batches.flatMap(({ rows }) => rows.map((row) => [row.phone, ...row.values]))).toEqual(GREETINGS);
    expect(batches.flatMap(({ rows }) => rows.map((row) => row.rowNumber))).toEqual([2, 3, 4]);
    expect(summary).toMatchObject({
      fileType: name.split('.').at(-1),
      rows: 3,
      invalidRows: 0,
      emptyRows: 0,
      warnings: [],
    });
    expect(summary.headerCells).toEqual(['Phone', 'Discount', 'Date', 'Price', 'Agreed', 'Note']);
  });

  it('may have a hidden first sheet, uncalculated formulas and merged cells', async () => {
    const { batches, summary } = await readAll(join(FIXTURES, 'openpyxl-oddities.xlsx'));
    expect(summary).toMatchObject({ sheetName: 'Visible & <first>', rows: 3, invalidRows: 3, emptyRows: 1 });
    expect(
      batches.flatMap(({ invalidRows }) =>
        invalidRows.map((error) => `${error.rowNumber} ${error.code} ${error.field}`),
      ),
    ).toEqual([
      '3 formula_without_value parameter 1',
      '4 formula_without_value parameter 1',
      '8 formula_without_value phone',
    ]);
    expect(batches[0]?.rows.map((row) => row.values)).toEqual([['Dear Anna!'], ['merged'], ['two lines']]);
  });

  it('may contain rich text, formulas, phones in scientific format, gaps and hidden rows', async () => {
    const { batches, summary } = await readAll(join(FIXTURES, 'xlsxwriter-oddities.xlsx'));
    expect(batches[0]?.rows).toEqual([
      { rowNumber: 2, phone: '4915112345671', values: ['Dear Anna!'] },
      { rowNumber: 3, phone: '4915112345672', values: ['ab'] },
      { rowNumber: 4, phone: '966501234567', values: ['13 Feb 1900'] },
      { rowNumber: 6, phone: '4915112345674', values: ['after a gap'] },
    ]);
    expect(summary.warnings).toEqual([expect.stringContaining('Hidden rows'), expect.stringContaining('formulas')]);
  });

  it.each(['libreoffice.ods', 'libreoffice.html'])('%s has an unsupported type', async (name) => {
    await expect(readAll(join(FIXTURES, name))).rejects.toMatchObject({
      name: 'FileRefused',
      code: 'unsupported_file_type',
    });
  });
});

describe('a file being read', () => {
  it('comes in batches of at most 500 rows, in order', async () => {
    const { batches, summary } = await withFile(csv(12_345), (path) => readAll(path));
    expect(Math.max(...batches.map(({ rows }) => rows.length))).toBe(500);
    expect(batches.flatMap(({ rows }) => rows.map((row) => row.rowNumber))).toEqual(
      Array.from({ length: 12_345 }, (_, n) => n + 1),
    );
    expect(summary).toMatchObject({ rows: 12_345, duplicates: 0 });
  });

  it('waits for a slow caller instead of filling the memory', async () => {
    await withFile(csv(200_000), async (path) => {
      let rows = 0;
      for await (const batch of readRecipientFile(path, ANY_COLUMNS).batches) {
        rows += batch.rows.length;
        if (rows > 500) continue;
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        // Reading pauses during that second, so the rest of the file is lost.
        await truncate(path);
      }
      expect(rows).toBeLessThan(50_000);
    });
  });

  it('does not count the time of its caller towards the limit', async () => {
    await withFile(csv(3_000), async (path) => {
      let rows = 0;
      for await (const batch of readRecipientFile(path, { ...ANY_COLUMNS, limits: { seconds: 4 } }).batches) {
        rows += batch.rows.length;
        await new Promise((resolve) => setTimeout(resolve, 800));
      }
      expect(rows).toBe(3_000);
    });
  }, 10_000);

  it('can be left early', async () => {
    await withFile(csv(100_000), async (path) => {
      const reading = readRecipientFile(path, ANY_COLUMNS);
      for await (const batch of reading.batches) {
        expect(batch.rows).toHaveLength(500);
        break;
      }
      await expect(reading.summary).rejects.toThrow('cancelled');
    });
  });

  it('can be closed, also before it starts', async () => {
    await withFile(csv(100_000), async (path) => {
      const reading = readRecipientFile(path, ANY_COLUMNS);
      const batches = reading.batches[Symbol.asyncIterator]();
      await batches.next();
      await reading.close();
      await expect(batches.next()).rejects.toThrow('cancelled');
      const unread = readRecipientFile(path, ANY_COLUMNS);
      await unread.close();
      await expect(unread.summary).rejects.toThrow('cancelled');
    });
  });

  it('is aborted when it takes too long', async () => {
    await withFile(csv(300_000), async (path) => {
      const started = performance.now();
      await expect(readAll(path, { limits: { seconds: 0.4 } })).rejects.toMatchObject({
        code: 'file_too_large',
        limit: 0.4,
      });
      expect(performance.now() - started).toBeLessThan(3_000);
    });
  });

  it('cannot exceed its memory limit', async () => {
    const sheet = `<c t="inlineStr"><is><t>${'x'.repeat(1_000)}</t></is></c>`;
    const row = `<row><c><v>4915112345678</v></c>${sheet.repeat(190)}</row>`;
    await withFile(buildWorkbook({ rows: row.repeat(200) }), async (path) => {
      await expect(readAll(path, { limits: { heapMegabytes: 5 } })).rejects.toMatchObject({
        code: 'file_too_large',
        limit: 5,
      });
    });
  });

  it('rejects twice with the same error: the batches and the summary', async () => {
    await withFile('phone,name\n', async (path) => {
      const reading = readRecipientFile(path, ANY_COLUMNS);
      await expect(reading.batches[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'file_empty' });
      await expect(reading.summary).rejects.toMatchObject({ name: 'FileRefused', code: 'file_empty' });
    });
  });

  it.each(['xlsx', 'biff8'] as const)('of type %s has one recipient for a number and its user id', async (bookType) => {
    const rows = [['DE.11'], ['4915112345678'], ['DE.12']];
    const bytes = write({ SheetNames: ['a'], Sheets: { a: utils.aoa_to_sheet(rows) } }, { type: 'buffer', bookType });
    await withFile(bytes as Buffer, async (path) => {
      const options = { ...ANY_COLUMNS, header: 'absent' } as const;
      const numbers = new Map([['DE.11', '4915112345678']]);
      const reading = readRecipientFile(path, options, () => Promise.resolve(numbers));
      const read: RowBatch[] = [];
      for await (const batch of reading.batches) read.push(batch);
      expect(read.flatMap((batch) => batch.rows)).toMatchObject([
        { rowNumber: 1, phone: '4915112345678', userId: 'DE.11' },
        { rowNumber: 3, phone: 'DE.12' },
      ]);
      expect(await reading.summary).toMatchObject({ rows: 2, duplicates: 1 });
      const failing = readRecipientFile(path, options, () => Promise.reject(new Error('no database')));
      await expect(failing.batches[Symbol.asyncIterator]().next()).rejects.toThrow('no database');
      await expect(failing.summary).rejects.toThrow('no database');
    });
  });

  it.each(['xlsx', 'biff8', 'csv'] as const)(
    'of type %s is one person for number and user id from its first row on',
    async (bookType) => {
      const stated = ['4915112345678', 'DE.11', 'a'];
      const others = Array.from({ length: 1200 }, (_, n) => [`49152${String(10_000_000 + n)}`, '', 'a']);
      const sheet = utils.aoa_to_sheet([['', 'DE.11', 'a'], ['4915112345678', '', 'a'], ...others, stated]);
      const bytes = write({ SheetNames: ['a'], Sheets: { a: sheet } }, { type: 'buffer', bookType });
      await withFile(bytes as Buffer, async (path) => {
        const columns = { phone: 'A', userId: 'B', values: ['C'] };
        const reading = readRecipientFile(path, { ...ANY_COLUMNS, valueCount: 1, header: 'absent', columns }, () =>
          Promise.resolve(new Map()),
        );
        const read: RowBatch[] = [];
        for await (const batch of reading.batches) read.push(batch);
        expect(read[0]!.rows[0]).toMatchObject({ rowNumber: 1, phone: '4915112345678', userId: 'DE.11' });
        expect(await reading.summary).toMatchObject({ rows: 1201, duplicates: 2 });
      });
    },
  );

  it('with too many rows is rejected with the limit', async () => {
    await withFile(csv(2_001), async (path) => {
      await expect(readAll(path, { maxRows: 2_000 })).rejects.toMatchObject({ code: 'too_many_rows', limit: 2_000 });
      await expect(readAll(path, { maxRows: 2_001 })).resolves.toMatchObject({ summary: { rows: 2_001 } });
    });
  });

  it('of the old format is read in a process without the environment of the service', async () => {
    const before = process.env.NODE_OPTIONS ?? '';
    await withFile('', async (seen) => {
      const script = `fs.writeFileSync(${JSON.stringify(seen)}, Object.keys(process.env).join())`;
      await withFile(`const fs = require('fs'); ${script};`, async (path) => {
        process.env.NODE_OPTIONS = `${before} --require ${path}`;
        process.env.DATABASE_URL_OF_THIS_TEST = 'postgres://user:secret@host';
        try {
          await readAll(join(FIXTURES, 'libreoffice.xls'));
        } finally {
          process.env.NODE_OPTIONS = before;
          delete process.env.DATABASE_URL_OF_THIS_TEST;
        }
      });
      const names = readFileSync(seen, 'utf8').split(',');
      expect(names.filter((name) => !/^NODE_(OPTIONS|CHANNEL_\w+)$/.test(name))).toEqual([]);
    });
  });

  it('cannot crash the service, even if the xls library allocates without limit', async () => {
    const bytes = readFileSync(join(FIXTURES, 'libreoffice.xls'));
    // With this byte changed, the library loops forever and fills its memory within seconds.
    bytes[1617] = (bytes[1617] ?? 0) ^ 0x55;
    await withFile(bytes, async (path) => {
      await expect(readAll(path, { limits: { heapMegabytes: 100 } })).rejects.toMatchObject({
        code: 'file_unreadable',
        reason: 'corrupt',
      });
    });
  }, 30_000);

  it('of the old format can be left early, and is aborted when it takes too long', async () => {
    const rows = Array.from({ length: 5_000 }, (_, n) => [4915110000000 + n, 'text']);
    const book = utils.book_new();
    utils.book_append_sheet(book, utils.aoa_to_sheet(rows), 'One');
    await withFile(write(book, { type: 'buffer', bookType: 'biff8' }) as Buffer, async (path) => {
      const reading = readRecipientFile(path, ANY_COLUMNS);
      for await (const batch of reading.batches) {
        expect(batch.rows).toHaveLength(500);
        break;
      }
      await expect(reading.summary).rejects.toThrow('cancelled');
      await expect(readAll(path, { limits: { seconds: 0.05 } })).rejects.toMatchObject({
        code: 'file_too_large',
        limit: 0.05,
      });
      const { batches } = await readAll(path);
      expect(batches.flatMap((batch) => batch.rows.map((row) => row.rowNumber))).toEqual(rows.map((_, n) => n + 1));
    });
  });

  it('that does not exist causes a system error', async () => {
    await expect(readAll(join(FIXTURES, 'nothing.xlsx'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('with an unknown country is an error of the caller', async () => {
    await expect(readAll(join(FIXTURES, 'openpyxl.xlsx'), { defaultCountry: 'XX' })).rejects.toThrow(/XX/);
  });
});

describe('columns by name', () => {
  const NUMBER = 4915112345678;

  it.each(['xlsx', 'biff8'] as const)('of a file of type %s hold the stored numbers of its cells', async (bookType) => {
    const sheet = utils.aoa_to_sheet([
      ['Name', 'Mobile'],
      ['Anna', NUMBER],
    ]);
    (sheet.B2 as { z: string }).z = '0.00E+00';
    const book = utils.book_new(sheet, 'Sheet1');
    await withFile(write(book, { type: 'buffer', bookType }) as Buffer, async (path) => {
      const columns = { phone: 'mobile', values: ['Name'] };
      const { batches, summary } = await readAll(path, { columns, valueCount: 1 });
      expect(batches.flatMap(({ rows }) => rows)).toEqual([{ rowNumber: 2, phone: String(NUMBER), values: ['Anna'] }]);
      expect(summary.columns).toEqual({ phone: 1, values: [0], extras: [] });
    });
  });

  it('that are unknown refuse the file with those that can be named', async () => {
    await withFile('Name,Mobile\nAnna,4915112345678\n', async (path) => {
      const reading = readAll(path, { columns: { phone: 'Moblie', values: [] } });
      await expect(reading).rejects.toMatchObject({
        ...{ code: 'column_not_found', availableColumns: ['Name', 'Mobile'] },
        message: expect.stringContaining('Did you mean "Mobile"?'),
      });
    });
  });
});
