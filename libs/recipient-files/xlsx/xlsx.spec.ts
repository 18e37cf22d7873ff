import {
  buildWorkbook,
  contentTypes,
  relations,
  sharedStringsXml,
  sheetXml,
  stylesXml,
  workbookXml,
  type WorkbookParts,
} from '../fixtures/build-workbook';
import { readBytes, rowsOf } from '../fixtures/read-bytes';

const PHONE = '4915112345678';
const row = (cells: string, attributes = ''): string => `<row${attributes}>${cells}</row>`;
const phone = `<c><v>${PHONE}</v></c>`;
const inline = (text: string): string => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
/** The values of a row with the given cells after the phone. */
const valuesOf = async (cells: string, parts: WorkbookParts = {}): Promise<string[]> => {
  const [first] = await rowsOf(buildWorkbook({ ...parts, rows: row(phone + cells) }));
  return first?.slice(1) ?? [];
};
const refusal = (parts: WorkbookParts, options = {}) =>
  readBytes(buildWorkbook({ rows: row(phone), ...parts }), options);

describe('the cells of an xlsx sheet', () => {
  it('are read without row numbers and cell addresses', async () => {
    expect(await valuesOf(inline('a') + inline('b'))).toEqual(['a', 'b']);
  });

  it('are read under any namespace prefix', async () => {
    const sheet = `<x:worksheet xmlns:x="urn:x"><x:sheetData><x:row r="1"><x:c r="A1"><x:v>${PHONE}</x:v></x:c><x:c r="C1" t="str"><x:v>c</x:v></x:c></x:row></x:sheetData></x:worksheet>`;
    expect(await rowsOf(buildWorkbook({ sheet }))).toEqual([[PHONE, '', 'c']]);
  });

  it('keep their position if cells or rows are missing or out of order', async () => {
    const cell = (address: string, text: string) => `<c r="${address}" t="str"><v>${text}</v></c>`;
    const rows =
      row(cell('C7', 'c') + cell('A7', PHONE), ' r="7"') +
      row(cell('A3', '4915112345679') + cell('B3', 'b'), ' r="3"') +
      row(inline('+4915112345670'));
    const { rows: read, summary } = await readBytes(buildWorkbook({ rows }));
    expect(read).toEqual([
      { rowNumber: 7, phone: PHONE, values: ['', 'c'] },
      { rowNumber: 3, phone: '4915112345679', values: ['b'] },
      { rowNumber: 4, phone: '4915112345670', values: [] },
    ]);
    expect(summary.emptyRows).toBe(4);
  });

  it('include a header that is written after other rows', async () => {
    const rows = row(phone, ' r="2"') + row(inline('Phone'), ' r="1"');
    expect((await readBytes(buildWorkbook({ rows }))).summary).toMatchObject({
      rows: 1,
      invalidRows: 0,
      headerCells: ['Phone'],
    });
  });

  it('have shared texts: rich runs joined, phonetic guides omitted', async () => {
    const sharedStrings = sharedStringsXml(
      '<si><t>plain &amp; simple</t></si><si><r><rPr><b/></rPr><t>Dear </t></r><r><t xml:space="preserve">Anna</t></r></si>' +
        '<si><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh><phoneticPr fontId="1"/></si><si/>',
    );
    const cells = [0, 1, 2].map((n) => `<c t="s"><v>${n}</v></c>`).join('');
    expect(await valuesOf(cells, { sharedStrings })).toEqual(['plain & simple', 'Dear Anna', '東京']);
  });

  it('have inline texts: rich runs joined, phonetic guides omitted, CDATA unchanged', async () => {
    const rich = '<c t="inlineStr"><is><r><t>Dear </t></r><r><t>Anna</t></r><rPh><t>x</t></rPh></is></c>';
    expect(await valuesOf(rich + inline('<![CDATA[a &amp; b <c>]]>'))).toEqual(['Dear Anna', 'a &amp; b <c>']);
  });

  it('have character references and escapes resolved once', async () => {
    const cells =
      inline('&lt;b&gt; &#65;&#x42; &quot;&apos;&#128512;') +
      inline('a_x000D_b') +
      inline('_x005F_x0041_') +
      inline('_xD83D__xDE00_');
    expect(await valuesOf(cells)).toEqual([`<b> AB "'😀`, 'a b', '_x0041_', '😀']);
  });

  it('show numbers by their format', async () => {
    const styles = stylesXml([0, 10, 14, 164, 165, 166, 49, 167, 22], {
      164: '#,##0.00 [$€-407]',
      165: '[$-409]d\\-mmm\\-yyyy;@',
      166: 'yyyy-mm-dd hh:mm',
      167: '&quot;No. &quot;000',
    });
    const cells = [
      [0, '0.1'],
      [1, '0.125'],
      [2, '45322'],
      [3, '1234.5'],
      [4, '45322'],
      [5, '45322.5'],
      [6, '007'],
      [7, '7'],
      [8, '45322.75'],
      [99, '12'],
    ].map(([style, value]) => `<c s="${style}"><v>${value}</v></c>`);
    expect(await valuesOf(cells.join(''), { styles })).toEqual([
      '0.1',
      '12.50%',
      '1/31/2024',
      '1,234.50 €',
      '31-Jan-2024',
      '2024-01-31 12:00',
      '7',
      'No. 007',
      '1/31/24 18:00',
      '12',
    ]);
  });

  it('have a warning in a check, where their display depends on the language', async () => {
    const rows = row(phone + '<c s="1"><v>45322</v></c><c><v>7731</v></c>', ' r="2"');
    const workbook = buildWorkbook({ styles: stylesXml([0, 14]), rows });
    const warnings = async (options: object) =>
      (await readBytes(workbook, { valueCount: 2, ...options })).summary.warnings;
    expect(await warnings({ cells: true })).toEqual([
      expect.stringMatching(/^Column B has dates or numbers .*: 1 row, first row 2, which sends "1\/31\/2024"/),
    ]);
    expect(await warnings({})).toEqual([]);
  });

  it('show numbers without a format in full', async () => {
    const numbers = ['1234567890123', '0.30000000000000004', '1E3', '-5', ' 12 '];
    expect(await valuesOf(numbers.map((n) => `<c><v>${n}</v></c>`).join(''))).toEqual([
      '1234567890123',
      '0.3',
      '1000',
      '-5',
      '12',
    ]);
  });

  it('show dates of the 1904 system', async () => {
    const workbook = workbookXml('<sheet name="One" sheetId="1" r:id="rId1"/>', '<workbookPr date1904="1"/>');
    const styles = stylesXml([164], { 164: 'yyyy-mm-dd' });
    expect(
      await valuesOf('<c s="0"><v>43860</v></c><c s="0" t="d"><v>2024-01-31T00:00:00</v></c>', { workbook, styles }),
    ).toEqual(['2024-01-31', '2024-01-31']);
  });

  it('show dates of the strict format, with a style and without', async () => {
    const styles = stylesXml([0, 164], { 164: 'd.m.yyyy' });
    const cells =
      '<c s="1" t="d"><v>2024-01-31T12:00:00Z</v></c><c t="d"><v>2024-01-31</v></c><c t="d"><v>2024-01-31T00:00:00</v></c>';
    expect(await valuesOf(cells, { styles })).toEqual(['31.1.2024', '2024-01-31', '2024-01-31']);
  });

  it('show booleans as words', async () => {
    expect(await valuesOf('<c t="b"><v>1</v></c><c t="b"><v>0</v></c>')).toEqual(['TRUE', 'FALSE']);
  });

  it('show the stored result of formulas', async () => {
    expect(
      await valuesOf(
        '<c t="str"><f>A1</f><v>x</v></c><c><f>1+1</f><v>2</v></c><c t="str"><f>""</f><v></v></c>' + inline('z'),
      ),
    ).toEqual(['x', '2', '', 'z']);
  });

  it.each(['<c><f>1+1</f></c>', '<c><f>1+1</f><v/></c>', '<c><f>1+1</f><v></v></c>', '<c t="str"><f>A1</f></c>'])(
    '%s has no value',
    async (cell) => {
      const { invalidRows } = await readBytes(buildWorkbook({ rows: row(phone + cell) }));
      expect(invalidRows).toEqual([
        expect.objectContaining({ rowNumber: 1, code: 'formula_without_value', field: 'parameter 1' }),
      ]);
    },
  );

  it('with errors have no value, and the error is named', async () => {
    const { invalidRows } = await readBytes(buildWorkbook({ rows: row(phone + '<c t="e"><v>#N/A</v></c>') }));
    expect(invalidRows).toEqual([
      expect.objectContaining({ code: 'formula_without_value', message: expect.stringContaining('#N/A') }),
    ]);
  });

  it('give phones from the stored number, regardless of the format', async () => {
    const styles = stylesXml([0, 11, 164], { 164: '0.00E+00' });
    const rows =
      row('<c s="1"><v>4915112345678</v></c>') +
      row('<c s="2"><v>9.66501234567E+11</v></c>') +
      row('<c><v>4915112345679.0</v></c>');
    expect(await rowsOf(buildWorkbook({ rows, styles }))).toEqual([[PHONE], ['966501234567'], ['4915112345679']]);
  });

  it('with invalid characters make their row invalid, not the file', async () => {
    const rows = row(phone + inline('a&#0;b')) + row(phone + inline('a&#xD800;b')) + row(phone + inline('a&#7;b'));
    const { invalidRows } = await readBytes(buildWorkbook({ rows }));
    expect(invalidRows.map(({ code }) => code)).toEqual(Array(3).fill('parameter_invalid_characters'));
  });

  it('may have styles without values up to the last column', async () => {
    const rows =
      row(`<c r="A1"><v>${PHONE}</v></c><c r="XFD1" s="3"/>`, ' r="1"') +
      row('<c r="A1048576" s="1"/>', ' r="1048576"');
    expect((await readBytes(buildWorkbook({ rows }))).summary).toMatchObject({ rows: 1, emptyRows: 0 });
  });

  it('of hidden rows are read, with a warning', async () => {
    const { summary } = await readBytes(buildWorkbook({ rows: row(phone, ' hidden="1"') }));
    expect(summary).toMatchObject({ rows: 1, warnings: [expect.stringContaining('Hidden rows')] });
  });
});

describe('the sheet of an xlsx file', () => {
  const second = (state: string): WorkbookParts => ({
    workbook: workbookXml(
      `<sheet name="A" sheetId="1" state="${state}" r:id="rId1"/><sheet name="B &amp; C" sheetId="2" r:id="rId9"/>`,
    ),
    workbookRelations: relations([
      ['rId1', 'worksheet', 'worksheets/sheet1.xml'],
      ['rId9', 'worksheet', 'worksheets/Sheet2.xml'],
    ]),
    change: (parts) => [
      ...parts,
      { name: 'xl\\worksheets\\sheet2.xml', content: sheetXml(row(inline('+4915112345679'))) },
    ],
  });

  it.each(['hidden', 'veryHidden'])('is the first one that is not %s', async (state) => {
    const { rows, summary } = await refusal(second(state));
    expect(rows.map((r) => r.phone)).toEqual(['4915112345679']);
    expect(summary.sheetName).toBe('B & C');
  });

  it('is the first one if all are visible', async () => {
    expect((await refusal(second('visible'))).summary.sheetName).toBe('A');
  });

  it('is a worksheet, never a chart', async () => {
    const parts = second('visible');
    parts.workbookRelations = parts.workbookRelations?.replace('/worksheet"', '/chartsheet"');
    expect((await refusal(parts)).summary.sheetName).toBe('B & C');
  });

  it('is found in the strict variant of the format', async () => {
    const strict = 'http://purl.oclc.org/ooxml/officeDocument/relationships';
    const workbookRelations = relations([['rId1', 'worksheet', 'worksheets/sheet1.xml']], strict);
    const change: WorkbookParts['change'] = (parts) =>
      parts.map((part) =>
        part.name === '_rels/.rels'
          ? { ...part, content: relations([['rId1', 'officeDocument', '/xl/workbook.xml']], strict) }
          : part,
      );
    expect((await refusal({ workbookRelations, change })).summary.rows).toBe(1);
  });

  it.each([
    ['with a byte order mark', '\ufeff', 'utf8'],
    ['in UTF-16, marked', '\ufeff', 'utf16le'],
    ['in UTF-16, not marked', '', 'utf16le'],
  ] as const)('is read %s', async (_, mark, encoding) => {
    const sheet = Buffer.from(
      mark + sheetXml(row(phone + inline('Grüße'))).replace('UTF-8', encoding === 'utf8' ? 'UTF-8' : 'UTF-16'),
      encoding,
    );
    expect(await rowsOf(buildWorkbook({ sheet }))).toEqual([[PHONE, 'Grüße']]);
  });

  it('is read in the encoding it declares', async () => {
    const sheet = Buffer.from(sheetXml(row(phone + inline('Grüße'))).replace('UTF-8', 'ISO-8859-1'), 'latin1');
    expect(await rowsOf(buildWorkbook({ sheet }))).toEqual([[PHONE, 'Grüße']]);
  });

  it('without rows is named in the error', async () => {
    await expect(refusal({ rows: '' })).rejects.toMatchObject({
      code: 'file_empty',
      message: expect.stringContaining('"One"'),
    });
    await expect(refusal({ rows: row(inline('Phone')) })).rejects.toMatchObject({ code: 'file_empty' });
  });

  it('belongs to workbooks with macros and templates too', async () => {
    for (const type of ['spreadsheetml.template.main+xml', 'spreadsheetml.sheet.main+xml']) {
      expect((await refusal({ contentTypes: contentTypes(type) })).summary.rows).toBe(1);
    }
    const macros = contentTypes('x').replace(
      'vnd.openxmlformats-officedocument.x',
      'vnd.ms-excel.sheet.macroEnabled.main+xml',
    );
    expect((await refusal({ contentTypes: macros })).summary.rows).toBe(1);
  });
});
