import { readdirSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import { Workbook } from 'exceljs';
import { describeOnDatabase } from '../support/databases';
import { BulkJobsApi, CSV, errorsOf } from '../support/bulk-jobs-api';

const SHEET = [
  'Nr,Vorname,Bestellung,Ort,Handy',
  '1,Ann,A-1,Bonn,+4915123456781',
  '2,Ben,A-2,Bonn,12',
  `3,Cy,${'x'.repeat(1010)},Bonn,+4915123456783`,
].join('\n');
const COLUMNS = { phone: 'handy', values: ['Vorname', 'C'], reference: 'Nr' };

const binary = (response: unknown, done: (error: Error | null, body: unknown) => void) => {
  void buffer(response as IncomingMessage)
    .then((body) => done(null, body))
    .catch((error: Error) => done(error, null));
};

describeOnDatabase('A file with columns by name', (open) => {
  let api: BulkJobsApi;

  beforeAll(async () => {
    api = new BulkJobsApi(await open());
    await api.start();
  });
  beforeEach(() => api.newAccount());
  afterAll(() => api.app.close());

  const upload = (columns: unknown, fields: Record<string, string> = {}) =>
    api.upload(SHEET, { columns: typeof columns === 'string' ? columns : JSON.stringify(columns), ...fields });

  it('becomes a job with the values of these columns', async () => {
    const { body } = await upload(COLUMNS).expect(202);
    expect(body).toMatchObject({ totalRecipients: 3, invalidRows: 2 });
    const { body: recipients } = await api.get(`/bulk-jobs/${body.jobId}/recipients`).expect(200);
    expect(recipients.items).toMatchObject([
      { rowNumber: 2, phone: '4915123456781', status: 'Pending' },
      { rowNumber: 3, errorCode: 'phone_invalid' },
      { rowNumber: 4, errorCode: 'text_too_long' },
    ]);
  });

  it('shows with dryRun what each column is used for, and invalid rows whole', async () => {
    const { body } = await upload(COLUMNS, { dryRun: 'true' }).expect(200);
    expect(body.columns).toMatchObject([
      { column: 'A', header: 'Nr', use: 'reference' },
      { column: 'B', header: 'Vorname', use: 'value 1 (body {{1}})' },
      { column: 'C', header: 'Bestellung', use: 'value 2 (body {{2}})' },
      { column: 'D', header: 'Ort', use: null },
      { column: 'E', header: 'Handy', use: 'phone' },
    ]);
    expect(body.sample).toMatchObject([{ rowNumber: 2, parameters: ['Ann', 'A-1'] }]);
    expect(body.errors).toMatchObject([
      { rowNumber: 3, field: 'phone', cells: ['2', 'Ben', 'A-2', 'Bonn', '12'] },
      { rowNumber: 4, field: 'parameter 2', cells: ['3', 'Cy', 'x'.repeat(1010), 'Bonn', '+4915123456783'] },
    ]);
    expect(body).not.toHaveProperty('suggestedColumns');
  });

  it('is rejected if a column is missing', async () => {
    const { body } = await upload({ ...COLUMNS, phone: 'Hendy' }).expect(400);
    expect(body).toMatchObject({
      code: 'column_not_found',
      message: expect.stringContaining('Did you mean "Handy"?'),
      availableColumns: ['Nr', 'Vorname', 'Bestellung', 'Ort', 'Handy'],
    });
    expect(await api.leftOvers()).toEqual({ jobs: 0, recipients: 0 });
    await upload({ ...COLUMNS, values: ['Vorname'] }).expect(422, /parameter_mismatch/);
  });

  it.each([
    ['without values', { phone: 'Nope' }, {}],
    ['without values, in a dry run', { phone: 'Nope' }, { dryRun: 'true' }],
    ['by placeholder', { phone: 'Handy', values: { '1': 'Nope' } }, {}],
  ])('is rejected for a missing column before the number of values (%s)', async (_, columns, fields) => {
    const { body } = await upload(columns, fields as Record<string, string>).expect(400);
    expect(body).toMatchObject({
      code: 'column_not_found',
      message: expect.stringContaining('"Nope"'),
      availableColumns: ['Nr', 'Vorname', 'Bestellung', 'Ort', 'Handy'],
    });
    expect(await api.leftOvers()).toEqual({ jobs: 0, recipients: 0 });
  });

  it('may have the same text for all, and a default for empty cells, which the report does not show as cells', async () => {
    const sheet = 'Vorname,Handy,Ort\nAnn,+4915123456781,Bonn\n,+4915123456782,Köln';
    const columns = JSON.stringify({
      phone: 'Handy',
      values: { '1': { column: 'Vorname', default: 'there' }, '2': { default: 'SAVE10' } },
    });
    const { body: check } = await api.upload(sheet, { columns, dryRun: 'true' }).expect(200);
    expect(check).toMatchObject({
      ...{ totalRecipients: 2, invalidRows: 0 },
      columns: [{ use: 'value 1 (body {{1}})' }, { use: 'phone' }, { use: null }],
      sample: [{ parameters: ['Ann', 'SAVE10'] }, { parameters: ['there', 'SAVE10'] }],
    });
    const { body } = await api.upload(sheet, { columns }).expect(202);
    const report = await api.get(`/bulk-jobs/${body.jobId}/report`).expect(200);
    const rows: string[][] = parse(report.text, { bom: true });
    expect(rows.map((row) => row.slice(0, 3))).toEqual([
      ['Vorname', 'Handy', 'Ort'],
      ['Ann', expect.stringContaining('+4915123456781'), 'Bonn'],
      ['', expect.stringContaining('+4915123456782'), 'Köln'],
    ]);
    const standard = await api.get(`/bulk-jobs/${body.jobId}/report?layout=standard`).expect(200);
    expect(standard.text).toMatch(/"4915123456782","there","SAVE10"/);
  });

  it('refuses defaults that no message can have, and a default of a column that is missing', async () => {
    const values = ['Vorname', { default: 'a\nb' }];
    const { body } = await upload({ phone: 'Handy', values }).expect(400);
    expect(errorsOf(body)).toEqual([['columns.values[1].default', 'line_break']]);
    const named = await upload({ phone: 'Handy', values: { '1': 'Vorname', '2': { default: ' ' } } }).expect(400);
    expect(errorsOf(named.body)).toEqual([['columns.values.2.default', 'empty']]);
    const missing = { phone: 'Handy', values: ['Vorname', { column: 'Nope', default: 'a' }] };
    await upload(missing).expect(400, /column_not_found/);
  });

  it('explains that columns are JSON, with an example', async () => {
    const { body } = await upload('Handy').expect(400);
    expect(body.message).toBe(
      'columns must be a JSON object, such as {"phone":"Mobile","values":["First name","Order"]}.',
    );
  });

  it('may have headers and placeholders of any name', async () => {
    const sheet = 'constructor,__proto__,toString\nAnn,A-1,+4915123456781';
    const columns = { phone: 'toString', values: ['constructor', '__proto__'] };
    const { body } = await api.upload(sheet, { columns: JSON.stringify(columns), dryRun: 'true' }).expect(200);
    expect(body).toMatchObject({ sample: [{ phone: '4915123456781', parameters: ['Ann', 'A-1'] }] });
    const byPlaceholder = '{"phone":"Handy","values":{"__proto__":"Ort","constructor":"Nr","1":"Vorname","2":"C"}}';
    const refused = await upload(byPlaceholder).expect(422);
    expect(refused.body.message).toContain('The template has no value "__proto__", "constructor".');
    expect(errorsOf(refused.body)).toEqual([
      ['columns.values.__proto__', 'unknown_field'],
      ['columns.values.constructor', 'unknown_field'],
    ]);
    const missing = await upload({ phone: 'Handy', values: { '1': 'Vorname' } }).expect(422);
    expect(errorsOf(missing.body)).toEqual([['columns.values.2', 'required']]);
  });

  it.each([
    ['Handy', 'columns', 'wrong_type'],
    [{ values: ['Vorname', 'C'] }, 'columns.phone', 'required'],
    [{ phone: 'Handy', values: 'Vorname' }, 'columns.values', 'invalid_format'],
    [{ phone: 'Handy', values: ['Vorname', ''] }, 'columns.values', 'invalid_format'],
    [{ phone: 'Handy', values: ['Vorname', {}] }, 'columns.values', 'invalid_format'],
    [{ phone: 'Handy', values: ['Vorname', { default: '' }] }, 'columns.values', 'invalid_format'],
    [{ phone: 'Handy', values: ['Vorname', { default: 'x'.repeat(1025) }] }, 'columns.values', 'invalid_format'],
    [{ phone: 'Handy', values: { '1': 'Vorname', '2': { column: 3 } } }, 'columns.values', 'invalid_format'],
    [{ phone: 'Handy', values: ['Vorname', { default: 'a', attribute: 'b' }] }, 'columns.values', 'invalid_format'],
    [{ ...COLUMNS, quickReplyPayloads: { yes: 'Ort' } }, 'columns.quickReplyPayloads', 'invalid_format'],
    [{ ...COLUMNS, phones: 'Handy' }, 'columns.phones', 'unknown_field'],
    ['auto', 'columns', 'not_allowed'],
  ])('refuses %j', async (columns, field, code) => {
    expect(errorsOf((await upload(columns).expect(400)).body)).toEqual([[field, code]]);
  });

  it('may have guessed columns, and is checked by the guess', async () => {
    const sheet = SHEET.replace(/^[^,]+,/gm, '')
      .replaceAll(',Bonn', '')
      .replace(',Ort', '');
    const { body } = await api.upload(sheet, { columns: 'auto', dryRun: 'true' }).expect(200);
    expect(body).toMatchObject({
      suggestedColumns: {
        phone: { source: 'Handy', confidence: 'high' },
        values: [
          { source: 'Vorname', confidence: 'low' },
          { source: 'Bestellung', confidence: 'low' },
        ],
      },
      sample: [{ phone: '4915123456781', parameters: ['Ann', 'A-1'] }],
      columns: [{ column: 'A' }, { column: 'B' }, { column: 'C', use: 'phone' }],
    });
  });

  it('may have guessed columns of user ids, file names, payloads and flow tokens', async () => {
    const sheet = [
      'Handy,WhatsApp-Benutzer-ID,Vorname,Bestellung,Link,Dateiname,Payload,Flow token',
      ',DE.13491208655302741918,Ann,A-1,https://files.example.com/1.pdf,Rechnung 1.pdf,p-1,f-1',
    ].join('\n');
    const fields = { templateName: 'invoice', columns: 'auto', dryRun: 'true' };
    const { body } = await api.upload(sheet, fields).expect(200);
    const likely = (source: string) => ({ source, confidence: 'low' });
    expect(body.suggestedColumns).toEqual({
      phone: likely('Handy'),
      values: [likely('Vorname'), likely('Bestellung')],
      headerMediaUrl: likely('Link'),
      userId: { source: 'WhatsApp-Benutzer-ID', confidence: 'high' },
      headerMediaFileName: likely('Dateiname'),
      quickReplyPayloads: { '0': likely('Payload') },
      flowToken: { source: 'Flow token', confidence: 'high' },
    });
    expect(body.warnings).toEqual([]);
    expect(body.sample).toMatchObject([
      {
        ...{ userId: 'DE.13491208655302741918', parameters: ['Ann', 'A-1'] },
        extras: {
          ...{ headerMediaUrl: 'https://files.example.com/1.pdf', headerMediaFileName: 'Rechnung 1.pdf' },
          ...{ quickReplyPayloads: { '0': 'p-1' }, flowToken: 'f-1' },
        },
      },
    ]);
  });

  it('is read with the found columns if the guess is incomplete, with a warning', async () => {
    const { body } = await upload('auto', { dryRun: 'true' }).expect(200);
    expect(body.suggestedColumns.values).toEqual([
      { source: null, confidence: 'none' },
      { source: null, confidence: 'none' },
    ]);
    const columns = body.columns as { use: string | null }[];
    expect(columns.map(({ use }) => use)).toEqual([null, null, null, null, 'phone']);
    expect(body.warnings[0]).toBe(
      'The guess is incomplete: no column was found for "value 1 (body {{1}})", "value 2 (body {{2}})". Name all columns in `columns`.',
    );
    expect(body.errorsByCode).toEqual([{ code: 'phone_invalid', count: 1 }]);
    expect(body.sample[0]).toMatchObject({ rowNumber: 2, phone: '4915123456781', parameters: ['', ''] });
    const { body: refused } = await upload('auto', { dryRun: 'true', badRows: 'csv' }).expect(400);
    expect(refused.errors).toMatchObject([{ field: 'columns', message: body.warnings[0] }]);
  });

  describe('with badRows in a dry run', () => {
    const LONG = 'x'.repeat(1010);
    const bad = [
      ['3', '2', 'Ben', 'A-2', 'Bonn', '12'],
      ['4', '3', 'Cy', LONG, 'Bonn', '+4915123456783'],
    ];
    const dryRun = (format: string, fields: Record<string, string> = {}) =>
      upload(COLUMNS, { dryRun: 'true', badRows: format, ...fields }).buffer(true);

    it('is a CSV file with the complete invalid rows, each with its problem', async () => {
      const { text, headers } = await dryRun('csv').expect(200).expect('content-type', 'text/csv; charset=utf-8');
      expect(headers['content-disposition']).toBe('attachment; filename="bad-rows.csv"');
      const [header, ...rows] = parse(text, { bom: true, relax_column_count: true });
      expect(header).toEqual(['problem', 'rowNumber', 'Nr', 'Vorname', 'Bestellung', 'Ort', 'Handy']);
      // An apostrophe protects from formulas; imports ignore it.
      expect(rows.map(([, ...cells]: string[]) => cells.map((cell) => cell.replace(/^'\+/, '+')))).toEqual(bad);
      expect(rows[1]!.at(-1)).toBe("'+4915123456783");
      const corrected = await api.upload(text.replace(LONG, "'-30 %"), {
        columns: JSON.stringify({ ...COLUMNS, values: ['Vorname', 'Bestellung'] }),
        dryRun: 'true',
      });
      expect(corrected.body.sample).toMatchObject([{ phone: '4915123456783', parameters: ['Cy', '-30 %'] }]);
      expect(rows[0]![0]).toMatch(/E \("Handy"\)/);
      expect(await api.leftOvers()).toEqual({ jobs: 0, recipients: 0 });
    });

    it('has its problems and headers in German on request', async () => {
      const { text } = await dryRun('csv', { badRowsLanguage: 'de' }).expect(200);
      const [header, ...rows] = parse(text, { bom: true, relax_column_count: true });
      expect(header!.slice(0, 3)).toEqual(['Fehler', 'Zeile', 'Nr']);
      expect(rows.map(([problem]) => problem)).toEqual(['Telefonnummer ungültig', 'Text zu lang']);
    });

    it('is an xlsx file of the same rows', async () => {
      const { body } = await dryRun('xlsx').parse(binary).expect(200);
      const workbook = await new Workbook().xlsx.load(body as never);
      const cells = (number: number) => (workbook.worksheets[0]!.getRow(number).values as unknown[]).slice(1);
      expect(cells(1).slice(0, 7)).toEqual(['problem', 'rowNumber', 'Nr', 'Vorname', 'Bestellung', 'Ort', 'Handy']);
      expect(cells(2).slice(1)).toEqual([3, ...bad[0]!.slice(1)]);
      const { body: inGerman } = await dryRun('xlsx', { badRowsLanguage: 'de' }).parse(binary).expect(200);
      expect((await new Workbook().xlsx.load(inGerman as never)).worksheets[0]!.name).toBe('Tabelle1');
    });

    it('names the columns of a file without header by letter, and has all rows of a large file', async () => {
      const rows = Array.from(
        { length: 1500 },
        (_, index) => `${index % 500 === 7 ? 'x1' : 4915100000000 + index},Ann,1`,
      );
      const { text } = await api
        .upload(rows.join('\n'), { dryRun: 'true', badRows: 'csv', hasHeader: 'false' })
        .buffer(true)
        .expect(200);
      const [header, ...found] = parse(text, { bom: true, relax_column_count: true });
      expect(header!.slice(0, 5)).toEqual(['problem', 'rowNumber', 'A', 'B', 'C']);
      expect(found.map(([, rowNumber]: string[]) => rowNumber)).toEqual(['8', '508', '1008']);
    });

    it('has the delimiter of the uploaded file', async () => {
      const fields = { dryRun: 'true', badRows: 'csv' };
      const { text } = await api.upload('Handy;Name\nx1;Ann, Ben', fields).buffer(true).expect(200);
      const [header, row] = parse(text, { bom: true, delimiter: ';' });
      expect([header, row!.slice(1)]).toEqual([
        ['problem', 'rowNumber', 'Handy', 'Name'],
        ['2', 'x1', 'Ann, Ben'],
      ]);
    });

    it('is only a header without invalid rows, and removes the upload', async () => {
      const { text } = await api.upload(CSV, { dryRun: 'true', badRows: 'csv' }).buffer(true).expect(200);
      expect(parse(text, { bom: true })).toHaveLength(1);
      const uploads = () =>
        readdirSync(tmpdir())
          .filter((name) => name.startsWith('recipient-uploads-') && name.includes(`-${process.pid}-`))
          .flatMap((name) => readdirSync(`${tmpdir()}/${name}`));
      // It is removed after the last byte of the response.
      while (uploads().length > 0) await setTimeout(20);
    });

    it('returns errors of the file as JSON, and is rejected in a send', async () => {
      const { body } = await api.upload('%PDF-1.7', { dryRun: 'true', badRows: 'csv' }).expect(415);
      expect(body.code).toBe('unsupported_file_type');
      expect(errorsOf((await dryRun('csv', { dryRun: 'false' }).expect(400)).body)).toEqual([
        ['badRows', 'not_allowed'],
      ]);
      expect(errorsOf((await dryRun('pdf').expect(400)).body)).toEqual([['badRows', 'not_allowed']]);
    });
  });

  it('of a carousel needs the cards of the request, as rows have none', async () => {
    const carousel = { templateName: 'carousel', dryRun: 'true' };
    const mapping = JSON.stringify({ ...COLUMNS, flowToken: 'Ort' });
    const mappings: Record<string, string>[] = [{}, { columns: 'auto' }, { columns: mapping }];
    for (const fields of mappings) {
      const { body } = await api.upload(SHEET, { ...carousel, ...fields }).expect(422);
      expect(body).toMatchObject({ code: 'extras_mismatch', errors: [{ field: 'cards', code: 'required' }] });
      expect(body.message).toMatch(
        /field cards of the request, for all recipients; .* recipients of POST \/bulk-jobs each/,
      );
    }
    const cards = [{ headerMediaId: '1' }, { headerMediaId: '2' }];
    const { body } = await upload(COLUMNS, { ...carousel, cards: JSON.stringify(cards) }).expect(200);
    expect(body).toMatchObject({ totalRecipients: 3, invalidRows: 2 });
    const recipients = [{ to: '4915123456781', templateParameters: [{ text: 'Ann' }, { text: '1' }], cards }];
    const list = await api.post('/bulk-jobs', { templateName: 'carousel', recipients }).expect(202);
    expect(list.body).toMatchObject({ totalRecipients: 1, invalidRows: 0 });
    const { text: report } = await api.get(`/bulk-jobs/${list.body.jobId}/report`).expect(200);
    expect(report).toContain('"cards[0].headerMediaId","cards[1].headerMediaId","status"');
  });

  it('warns in a dry run of a person with several messages', async () => {
    const csv = 'phone,name,order\n+4915123456781,Ann,1\n+4915123456782,Ben,1\n004915123456781,Ann,2\n';
    const { body } = await api.upload(csv, { dryRun: 'true' }).expect(200);
    expect(body).toMatchObject({ totalRecipients: 3, duplicateRows: 0, invalidRows: 0 });
    expect(body.warnings).toEqual([
      expect.stringMatching(
        /^repeated_people: 1 row is for a person .* first row 4: .* The person of row 4 is also in row 2\./,
      ),
    ]);
  });
});
