import { readBytes, rowsOf } from '../fixtures/read-bytes';

const PHONE = '4915112345678';
const OTHER = '4915112345679';

/** Text in an old one-byte encoding; only the characters used in these tests. */
function windows1256(text: string): Buffer {
  const letters = 'ءآأؤإئابةتثجحخدذرزسشصض×طظعغـفق';
  const rest: Record<string, number> = {
    ك: 0xdf,
    ل: 0xe1,
    م: 0xe3,
    ن: 0xe4,
    ه: 0xe5,
    و: 0xe6,
    ى: 0xec,
    ي: 0xed,
    '،': 0xa1,
  };
  return Buffer.from(
    [...text].map((letter) => {
      const at = letters.indexOf(letter);
      return at >= 0 ? 0xc1 + at : (rest[letter] ?? letter.charCodeAt(0));
    }),
  );
}

const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

describe('a csv file crafted to be slow', () => {
  it.each([
    ['blanks', ' '],
    ['quotation marks and blanks', "' "],
    ['digits that end in a letter', '1'],
  ])('is read in normal time: %s', async (_, chunk) => {
    const startedAt = performance.now();
    const cell = `${chunk.repeat(8_000 / chunk.length)}x`;
    await readBytes(`${cell}\n`.repeat(7));
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});

describe('a csv file of this service, such as a report', () => {
  it('is read without the apostrophes that guard against formulas', async () => {
    const cells = ["'-30 %", "'=x", "'\t@y", "'＋z", "'s Gravenhage", "''-1"];
    const { rows } = await readBytes([`"'+${PHONE}"`, ...cells.map((cell) => `"${cell}"`)].join());
    expect(rows.map(({ phone, values }) => [phone, ...values])).toEqual([
      [PHONE, '-30 %', '=x', '@y', '＋z', "'s Gravenhage", "''-1"],
    ]);
  });
});

describe('the encoding of a csv file', () => {
  const text = `Telefon;Name;Stadt\r\n${PHONE};Jürgen Größe;Köln\r\n${OTHER};Zoë;Ærøskøbing\r\n`;
  const rows = [
    [PHONE, 'Jürgen Größe', 'Köln'],
    [OTHER, 'Zoë', 'Ærøskøbing'],
  ];

  it.each([
    ['utf-8', Buffer.from(text)],
    ['utf-8', Buffer.from('\ufeff' + text)],
    ['utf-16le', Buffer.from('\ufeff' + text, 'utf16le')],
    ['utf-16be', utf16be('\ufeff' + text)],
    ['utf-16le', Buffer.from(text, 'utf16le')],
    ['utf-16be', utf16be(text)],
    ['windows-1252', Buffer.from(text, 'latin1')],
  ])('%s is detected', async (encoding, bytes) => {
    const outcome = await readBytes(bytes);
    expect(outcome.rows.map((row) => [row.phone, ...row.values])).toEqual(rows);
    expect(outcome.summary).toMatchObject({ encoding, delimiter: ';', headerCells: ['Telefon', 'Name', 'Stadt'] });
  });

  it('windows-1256 is detected by its Arabic words', async () => {
    const arabic = `الهاتف,الاسم\n966501234567,محمد عبد الله\n966501234568,فاطمة\n`;
    const outcome = await readBytes(windows1256(arabic));
    expect(outcome.summary.encoding).toBe('windows-1256');
    expect(outcome.rows.map((row) => row.values)).toEqual([['محمد عبد الله'], ['فاطمة']]);
  });

  it('windows-1252 includes quotation marks and euro sign', async () => {
    const bytes = Buffer.concat([
      Buffer.from(`${PHONE};5 `),
      Buffer.from([0x80, 0x20, 0x93]),
      Buffer.from('x'),
      Buffer.from([0x94, 0x0a]),
    ]);
    expect(await rowsOf(bytes)).toEqual([[PHONE, '5 € “x”']]);
  });

  it('UTF-16 without a byte order mark is detected in Arabic files too', async () => {
    const bytes = Buffer.from(`966501234567;${'محمد عبد الله '.repeat(5)}\n`.repeat(20), 'utf16le');
    expect((await readBytes(bytes)).summary).toMatchObject({ encoding: 'utf-16le', duplicates: 19 });
  });

  it.each([
    [
      'UTF-8 with a damaged character',
      Buffer.concat([Buffer.from(`${PHONE},Grüße aus Köln `), Buffer.from([0xc3]), Buffer.from('x\n')]),
    ],
    ['UTF-8 that is cut off', Buffer.from(`${PHONE},Grüße\n${OTHER},Köln ß`).subarray(0, -1)],
    ['UTF-16 that is cut off', Buffer.from('\ufeff' + text, 'utf16le').subarray(0, -1)],
    ['UTF-16 with half a character', Buffer.from('\ufeff' + text + '\ud83d', 'utf16le')],
    [
      'UTF-16 by its mark only',
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('491511234567,Ann,1;491511234568,Bob,2')]),
    ],
    ['UTF-32', Buffer.concat([Buffer.from([0xff, 0xfe, 0, 0]), Buffer.from('4\0\0\0', 'latin1')])],
    [
      'Cyrillic windows-1251',
      Buffer.concat([Buffer.from(`${PHONE},`), Buffer.from('cfe8f1fcece020eef220cce0f8e8', 'hex')]),
    ],
  ])('%s is rejected rather than sent as unreadable text', async (_, bytes) => {
    await expect(readBytes(bytes)).rejects.toMatchObject({ code: 'file_unreadable', reason: 'encoding' });
  });

  it('a damaged character beyond the head of a large file is found', async () => {
    const bytes = Buffer.from(`${PHONE},Grüße\n`.repeat(200_000));
    bytes[bytes.length - 5] = 0xff;
    await expect(readBytes(bytes)).rejects.toMatchObject({ reason: 'encoding' });
  });

  it('a character across two chunks is decoded', async () => {
    const line = `${PHONE},é\n`;
    const bytes = Buffer.from('x'.repeat(1) + '\n' + line.repeat(160_000));
    expect((await readBytes(bytes)).summary).toMatchObject({ rows: 1, duplicates: 159_999 });
  });
});

describe('the delimiter of a csv file', () => {
  it.each([
    [',', `phone,name\n${PHONE},Anna\n`],
    [';', `phone;name\n${PHONE};Anna\n`],
    ['\t', `phone\tname\n${PHONE}\tAnna\n`],
    ['|', `phone|name\n${PHONE}|Anna\n`],
    [';', `${PHONE};12,50\n${OTHER};13,20\n`],
    [',', `${PHONE},a;b\n${OTHER},"c;d,e"\n`],
    [';', `${PHONE};Hello, dear, you\n${OTHER};Hi\n`],
    [',', `${PHONE}\n${OTHER}\n`],
    [',', `+49 (151) 123-45678,a|b|c|d\n${OTHER},x|y|z|w\n`],
    ['\t', `sep=\t\n${PHONE}\tAnna\n`],
    [';', `"phone";"text"\n"${PHONE}";"a, b"\n`],
  ])('is %j', async (delimiter, text) => {
    const { summary, invalidRows } = await readBytes(text);
    expect(summary.delimiter).toBe(delimiter);
    expect(invalidRows).toEqual([]);
  });

  it('is not the decimal comma of rounded phone numbers', async () => {
    expect((await readBytes(`Telefon;Name\n4,91512E+12;Anna\n4,91512E+12;Bob\n`)).summary.delimiter).toBe(';');
  });

  it('may be declared by the first line, which is not counted', async () => {
    const { rows, summary } = await readBytes(`sep=^\r\n${PHONE}^a,b;c\r\n`);
    expect(rows).toEqual([{ rowNumber: 1, phone: PHONE, values: ['a,b;c'] }]);
    expect(summary.delimiter).toBe('^');
  });
});

describe('the rows of a csv file', () => {
  it.each(['\n', '\r\n', '\r'])('may end with %j', async (end) => {
    expect(await rowsOf([`phone,name`, `${PHONE},Anna`, `${OTHER},Bob`].join(end))).toEqual([
      [PHONE, 'Anna'],
      [OTHER, 'Bob'],
    ]);
  });

  it('are numbered as in a spreadsheet program: blank lines count, line breaks inside quotes do not', async () => {
    const { rows, summary } = await readBytes(`phone,name\n\n${PHONE},"two\nlines"\n,,\n${OTHER},Bob\n\n\n`);
    expect(rows).toEqual([
      { rowNumber: 3, phone: PHONE, values: ['two lines'] },
      { rowNumber: 5, phone: OTHER, values: ['Bob'] },
    ]);
    expect(summary).toMatchObject({ emptyRows: 2, warnings: [expect.stringMatching(/^1 row:/)] });
  });

  it('may be ragged', async () => {
    expect(await rowsOf(`${PHONE},a,b,,\n${OTHER}\n`)).toEqual([[PHONE, 'a', 'b'], [OTHER]]);
  });

  it('may have quotes doubled, inside text, and around ="…"', async () => {
    expect(await rowsOf(`"${PHONE}","say ""hi"""\n="${OTHER}",5" screen\n"=""4915112345670""","a, b"\n`)).toEqual([
      [PHONE, 'say "hi"'],
      [OTHER, '5" screen'],
      ['4915112345670', 'a, b'],
    ]);
  });

  it('with an unclosed quotation mark are rejected with their number', async () => {
    const refusal = { code: 'file_unreadable', reason: 'corrupt', message: expect.stringContaining('Row 2') };
    await expect(readBytes(`${PHONE},a\n${OTHER},"b\n4915112345670,c\n`)).rejects.toMatchObject(refusal);
    await expect(readBytes(`${PHONE},a\n${OTHER},"b\n${'4915112345670,c\n'.repeat(10_000)}`)).rejects.toMatchObject(
      refusal,
    );
  });

  it('without line breaks are rejected before they fill the memory', async () => {
    await expect(readBytes(`${PHONE},${'x'.repeat(1_000_000)}`)).rejects.toMatchObject({
      code: 'file_unreadable',
      reason: 'corrupt',
    });
  });

  it('that are blank, by the million, are rejected or skipped quickly', async () => {
    await expect(readBytes('\n'.repeat(3_000_000))).rejects.toMatchObject({ code: 'file_too_large', limit: 2_100_000 });
    await expect(readBytes(`${PHONE}\n` + ',,\n'.repeat(300_000))).resolves.toMatchObject({
      summary: { rows: 1, emptyRows: 0 },
    });
  });

  it.each([
    ['empty', ','],
    ['blank', ' ,'],
    ['quoted', '"",'],
  ])('of %s cells only are rejected before they take more time than files of the same size', async (_, cell) => {
    const bytes = Buffer.alloc(4_000_000, `${cell.repeat(100)}\n`);
    await expect(readBytes(bytes, { limits: { emptyCells: 500_000 } })).rejects.toMatchObject({
      code: 'file_too_large',
      limit: 500_000,
    });
    await expect(readBytes(`${PHONE}\n${bytes.subarray(0, 100_000).toString()}`)).resolves.toMatchObject({
      summary: { rows: 1 },
    });
  });

  it('with too many columns are rejected, unless they are blank', async () => {
    await expect(readBytes(PHONE + ',x'.repeat(200))).rejects.toMatchObject({ code: 'file_too_large', limit: 200 });
    await expect(readBytes(PHONE + ','.repeat(5_000))).resolves.toMatchObject({ summary: { rows: 1 } });
  });

  it('with a NUL are invalid, and NUL is removed from the result', async () => {
    const { invalidRows } = await readBytes(`${PHONE},a\0b\n`.padEnd(400, `${OTHER},c\n`));
    expect(invalidRows[0]).toMatchObject({ code: 'parameter_invalid_characters', values: ['a b'] });
  });

  it('may have rounded phone numbers, and phone numbers written as floating-point numbers', async () => {
    const { rows, invalidRows } = await readBytes(`9.66512E+11,a\n"4,91512E+12",b\n${PHONE}.0,c\n"'${OTHER}",d\n`);
    expect(invalidRows.map(({ code }) => code)).toEqual(['phone_scientific_notation', 'phone_scientific_notation']);
    expect(rows.map(({ phone }) => phone)).toEqual([PHONE, OTHER]);
  });
});

describe('a file that is not csv', () => {
  it.each([
    ['a web page', '<!DOCTYPE html><html><table></table></html>'],
    ['a web page with a mark and blanks', '\ufeff \r\n<html xmlns:x="urn">'],
    ['a table', '<table><tr><td>4915112345678</td></tr></table>'],
    ['an XML spreadsheet of 2003', '<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook/>'],
    ['a web page in UTF-16', Buffer.from('\ufeff<html></html>', 'utf16le')],
    ['a saved web archive', 'MIME-Version: 1.0\r\n'],
    ['a PDF document', '%PDF-1.7\n%'],
    ['an image', Buffer.from('89504e470d0a1a0a', 'hex')],
    ['a gzip archive', Buffer.from('1f8b0800', 'hex')],
    ['binary rubbish', Buffer.from(Array.from({ length: 2_000 }, (_, n) => (n * 7919) % 251))],
    ['a BIFF file without container', Buffer.from('0908100000060500f21dcc0741000000060000000000000000000000', 'hex')],
  ])('%s has an unsupported type', async (_, bytes) => {
    await expect(readBytes(bytes)).rejects.toMatchObject({ code: 'unsupported_file_type' });
  });

  it.each([
    ['no bytes', ''],
    ['only a mark', '\ufeff'],
    ['only blank lines', '\n\n  \n,,\n'],
    ['only a header', 'phone,name\n'],
    ['only a delimiter line', 'sep=;\n'],
  ])('a file with %s is empty', async (_, bytes) => {
    await expect(readBytes(bytes)).rejects.toMatchObject({ code: 'file_empty' });
  });
});

describe('a file of JSON', () => {
  it.each(['{"recipients":[{"to":"4915112345678"}]}', '[{"to":"4915112345678"}]', ' [["4915112345678"]]'])(
    'is rejected with its type and the remedy: %s',
    async (text) => {
      await expect(readBytes(Buffer.from(text))).rejects.toMatchObject({
        code: 'unsupported_file_type',
        message: expect.stringMatching(/^The file is JSON\. .* Save it as \.xlsx, \.xls or \.csv/),
      });
    },
  );
});
