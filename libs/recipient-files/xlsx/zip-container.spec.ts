import {
  buildWorkbook,
  contentTypes,
  sharedStringsXml,
  sheetXml,
  type WorkbookParts,
} from '../fixtures/build-workbook';
import { buildZip } from '../fixtures/build-zip';
import { readBytes } from '../fixtures/read-bytes';

const PHONE = '4915112345678';
const row = (cells: string, attributes = ''): string => `<row${attributes}>${cells}</row>`;
const phone = `<c><v>${PHONE}</v></c>`;
const inline = (text: string): string => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
const refusal = (parts: WorkbookParts, options = {}) =>
  readBytes(buildWorkbook({ rows: row(phone), ...parts }), options);

describe('the zip container of an xlsx file', () => {
  const every = (change: object): WorkbookParts => ({
    change: (parts) => parts.map((part) => ({ ...part, ...change })),
  });
  const sheetPart = (change: object): WorkbookParts => ({
    change: (parts) => parts.map((part) => (part.name.includes('sheet1') ? { ...part, ...change } : part)),
  });

  it.each([
    ['stored', { stored: true }],
    ['with sizes behind the content', { dataDescriptor: true }],
    ['with 64-bit sizes', { zip64: true }],
  ])('is read %s', async (_, change) => {
    expect((await refusal(every(change))).summary.rows).toBe(1);
  });

  it.each([
    ['a wrong checksum', { declaredCrc: 1 }],
    ['a size that is too small', { declaredSize: 10 }],
    ['a size that is too large', { declaredSize: 100_000 }],
    ['an unknown compression', { method: 99 }],
    ['a document type definition', { content: '<!DOCTYPE x [<!ENTITY a "b">]><worksheet/>' }],
    ['an entity', { content: sheetXml(row(phone + inline('&lol;'))) }],
    ['a sheet cut off', { content: sheetXml(row(phone)).slice(0, -30) }],
    ['bytes that are not UTF-8', { content: Buffer.from(sheetXml(row(phone + inline('Grüße'))), 'latin1') }],
    ['a row number out of range', { content: sheetXml(row(phone, ' r="1048577"')) }],
    ['a cell out of range', { content: sheetXml(row('<c r="XFE1"><v>1</v></c>')) }],
    ['a missing shared text', { content: sheetXml(row('<c t="s"><v>5</v></c>')) }],
  ])('with %s is rejected as damaged', async (_, change) => {
    await expect(refusal(sheetPart(change))).rejects.toMatchObject({ code: 'file_unreadable', reason: 'corrupt' });
  });

  it('with encrypted parts is rejected as password-protected', async () => {
    await expect(refusal(sheetPart({ encrypted: true }))).rejects.toMatchObject({
      code: 'file_unreadable',
      reason: 'encrypted',
    });
  });

  it('truncated anywhere is rejected as damaged', async () => {
    const whole = buildWorkbook({ rows: row(phone) });
    for (const length of [4, 30, 300, whole.length - 30, whole.length - 1]) {
      await expect(readBytes(whole.subarray(0, length))).rejects.toMatchObject({
        code: 'file_unreadable',
        reason: 'corrupt',
      });
    }
  });

  it('with any byte damaged is either read or rejected', async () => {
    const whole = buildWorkbook({
      rows: row(phone + inline('text')),
      sharedStrings: sharedStringsXml('<si><t>a</t></si>'),
    });
    for (let at = 0; at < whole.length; at += 23) {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ 0xff;
      const outcome = await readBytes(damaged).catch((error: unknown) => error);
      expect(outcome).toMatchObject(outcome instanceof Error ? { name: 'FileRefused' } : { summary: { rows: 1 } });
    }
  });

  it('with missing parts is rejected as damaged', async () => {
    for (const name of [
      'xl/workbook.xml',
      'xl/_rels/workbook.xml.rels',
      'xl/worksheets/sheet1.xml',
      '[Content_Types].xml',
    ]) {
      await expect(refusal({ change: (parts) => parts.filter((part) => part.name !== name) })).rejects.toMatchObject({
        reason: 'corrupt',
      });
    }
  });

  it.each([
    [
      'a binary workbook',
      buildWorkbook({
        contentTypes: contentTypes('x').replace(
          'openxmlformats-officedocument.x',
          'ms-excel.sheet.binary.macroEnabled.main',
        ),
      }),
    ],
    ['a text document', buildWorkbook({ contentTypes: contentTypes('wordprocessingml.document.main+xml') })],
    ['a presentation', buildWorkbook({ contentTypes: contentTypes('presentationml.presentation.main+xml') })],
    [
      'an OpenDocument sheet',
      buildZip([
        { name: 'mimetype', content: 'application/vnd.oasis.opendocument.spreadsheet', stored: true },
        { name: 'content.xml', content: '<x/>' },
      ]),
    ],
    ['any zip archive', buildZip([{ name: 'readme.txt', content: 'hello' }])],
    ['an empty zip archive', buildZip([])],
  ])('with %s has an unsupported type', async (_, bytes) => {
    await expect(readBytes(bytes)).rejects.toMatchObject({ code: 'unsupported_file_type' });
  });
});

describe('an xlsx file beyond the limits', () => {
  const limited = (limits: object, parts: WorkbookParts) => refusal(parts, { limits });
  const many = row(phone + inline('some text')).repeat(2_000);

  it.each([
    ['shared strings', (runs: string) => ({ rows: row(phone), sharedStrings: sharedStringsXml(`<si>${runs}</si>`) })],
    ['a cell', (runs: string) => ({ rows: row(`<c t="inlineStr"><is>${runs}</is></c>`) })],
  ])('with more elements in %s than its packed size allows is rejected', async (_, parts) => {
    const bytes = buildWorkbook(parts('<r><t/></r>'.repeat(1_500_000)));
    expect(bytes.length).toBeLessThan(60_000);
    await expect(readBytes(bytes)).rejects.toMatchObject({
      code: 'file_too_large',
      message: expect.stringContaining('more XML elements'),
    });
  });

  it('with equal rows, which compress best, is accepted', async () => {
    const numbers = Array.from({ length: 100_000 }, (_, index) => `<row r="${index + 1}">${phone}</row>`);
    const outcome = await readBytes(buildWorkbook({ rows: numbers.join('') }));
    expect(outcome.summary.duplicates).toBe(99_999);
  });

  it.each([
    ['parts', { zipEntries: 3 }, {}],
    ['unpacked bytes of the sheet', { sheetBytes: 50_000 }, { rows: many }],
    [
      'unpacked bytes of shared strings',
      { sharedStringsBytes: 100 },
      { sharedStrings: sharedStringsXml('<si><t>x</t></si>'.repeat(50)) },
    ],
    ['shared strings', { sharedStrings: 49 }, { sharedStrings: sharedStringsXml('<si/>'.repeat(50)) }],
    [
      'text in shared strings',
      { sharedTextBytes: 99 },
      // Each takes two bytes per character, because of the last one.
      { sharedStrings: sharedStringsXml(`<si><t>${'x'.repeat(4)}東</t></si>`.repeat(10)) },
    ],
    ['characters in one text', { xmlTokenCharacters: 70_000 }, { rows: row(phone + inline('x'.repeat(200_000))) }],
  ] as [string, object, WorkbookParts][])('beyond the limit of %s is rejected', async (_, limits, parts) => {
    await expect(limited(limits, parts)).rejects.toMatchObject({
      code: 'file_too_large',
      limit: Object.values(limits)[0],
    });
  });

  it('with too many columns is rejected', async () => {
    const rows = row(phone + inline('x').repeat(200));
    await expect(refusal({ rows })).rejects.toMatchObject({ code: 'file_too_large', limit: 200 });
    await expect(refusal({ rows: row(phone + inline('x').repeat(199)) })).resolves.toBeDefined();
  });

  it('with one long shared string in many cells is rejected', async () => {
    const sharedStrings = sharedStringsXml(`<si><t>${'x'.repeat(30_000)}</t></si>`);
    const rows = row(phone + '<c t="s"><v>0</v></c>'.repeat(100)).repeat(600);
    await expect(refusal({ rows, sharedStrings })).rejects.toMatchObject({
      code: 'file_too_large',
      limit: 1_000_000_000,
    });
  });

  it('that unpacks to too much is rejected before it is unpacked', async () => {
    const bomb = Buffer.alloc(60 * 1024 * 1024, ' ');
    const before = process.memoryUsage().rss;
    await expect(
      refusal({ change: (parts) => [...parts, { name: 'xl/media/x.bin', content: bomb }] }),
    ).rejects.toMatchObject({
      code: 'file_too_large',
      limit: 250,
    });
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
  });

  it('with one long cell has that row rejected, with truncated text', async () => {
    const { invalidRows } = await refusal({ rows: row(phone + inline('x'.repeat(40_000))) });
    expect(invalidRows).toEqual([expect.objectContaining({ code: 'parameter_too_long', values: ['x'.repeat(1_024)] })]);
  });
});
