import { utils, write, type BookType } from '@e965/xlsx';
import { sheetJs } from '../sheetjs';
import { readBytes } from '../fixtures/read-bytes';

const PHONE = '4915112345678';

/** An OLE container with these streams. */
function container(...streams: string[]): Buffer {
  const cfb = (sheetJs() as unknown as { CFB: CfbWriter }).CFB;
  const file = cfb.utils.cfb_new();
  for (const name of streams) cfb.utils.cfb_add(file, `/${name}`, Buffer.alloc(5_000));
  return cfb.write(file, { type: 'buffer' });
}

interface CfbWriter {
  utils: { cfb_new(): object; cfb_add(file: object, name: string, content: Buffer): void };
  write(file: object, options: { type: 'buffer' }): Buffer;
}

function workbook(rows: unknown[][], bookType: BookType = 'biff8'): Buffer {
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet(rows), 'One');
  return write(book, { type: 'buffer', bookType }) as Buffer;
}

describe('an xls file', () => {
  afterEach(() => jest.restoreAllMocks());

  it.each([
    ['biff8', 'Grüße'],
    ['biff5', 'Gruss'],
  ] as const)('of the version %s is read', async (version, greeting) => {
    const { rows, summary } = await readBytes(
      workbook(
        [
          ['Phone', 'Name'],
          [4915112345678, greeting],
          ['+4915112345679', 1234567890123],
        ],
        version,
      ),
    );
    expect(rows.map((row) => [row.rowNumber, row.phone, ...row.values])).toEqual([
      [2, PHONE, greeting],
      [3, '4915112345679', '1234567890123'],
    ]);
    expect(summary).toMatchObject({ fileType: 'xls', sheetName: 'One', headerCells: ['Phone', 'Name'] });
  });

  it('keeps cell positions and row numbers around gaps', async () => {
    const { rows, summary } = await readBytes(workbook([[PHONE, null, 'c'], [], [null], ['4915112345679']]));
    expect(rows).toEqual([
      { rowNumber: 1, phone: PHONE, values: ['', 'c'] },
      { rowNumber: 4, phone: '4915112345679', values: [] },
    ]);
    expect(summary.emptyRows).toBe(2);
  });

  it('has errors and booleans as displayed', async () => {
    const book = utils.book_new();
    const sheet = utils.aoa_to_sheet([
      [PHONE, true],
      ['4915112345679', 'x'],
    ]);
    sheet.B2 = { t: 'e', v: 0x2a };
    utils.book_append_sheet(book, sheet, 'One');
    const { rows, invalidRows } = await readBytes(write(book, { type: 'buffer', bookType: 'biff8' }) as Buffer);
    expect(rows[0]?.values).toEqual(['TRUE']);
    expect(invalidRows[0]).toMatchObject({ code: 'formula_without_value', message: expect.stringContaining('#N/A') });
  });

  it('without rows is empty', async () => {
    await expect(readBytes(workbook([[]]))).rejects.toMatchObject({ code: 'file_empty' });
  });

  it('beyond its size limit is rejected', async () => {
    await expect(readBytes(workbook([[PHONE]]), { limits: { xlsBytes: 1_000 } })).rejects.toMatchObject({
      code: 'file_too_large',
    });
  });

  it('with too many columns is rejected', async () => {
    await expect(readBytes(workbook([[PHONE, ...Array<string>(200).fill('x')]]))).rejects.toMatchObject({
      code: 'file_too_large',
      limit: 200,
    });
  });

  it('that is truncated or damaged is either read or rejected', async () => {
    // SheetJS logs what it skips.
    jest.spyOn(console, 'error').mockImplementation();
    const whole = workbook([[PHONE, 'text']]);
    const damaged = Array.from({ length: 40 }, (_, n) => {
      const copy = Buffer.from(whole);
      copy.fill(0xff, n * 64, n * 64 + 16);
      return copy;
    });
    for (const bytes of [
      whole.subarray(0, 200),
      whole.subarray(0, 700),
      whole.subarray(0, 2_000),
      ...damaged.slice(1),
    ]) {
      const outcome = await readBytes(bytes).catch((error: unknown) => error);
      expect(outcome).toMatchObject(
        outcome instanceof Error ? { name: 'FileRefused' } : { summary: { fileType: 'xls' } },
      );
    }
  });
});

describe('another OLE container', () => {
  it('with an encrypted package is rejected as password-protected', async () => {
    await expect(readBytes(container('EncryptionInfo', 'EncryptedPackage'))).rejects.toMatchObject({
      code: 'file_unreadable',
      reason: 'encrypted',
    });
  });

  it('with a document is rejected as unsupported', async () => {
    await expect(readBytes(container('WordDocument'))).rejects.toMatchObject({ code: 'unsupported_file_type' });
  });
});
