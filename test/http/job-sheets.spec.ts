import { parse } from 'csv-parse/sync';
import { Workbook } from 'exceljs';
import { PostgresJobErasureStore } from '../../src/modules/bulk-jobs/adapters/postgres-job-erasure-store';
import { BulkJobsApi, CSV, errorsOf } from '../support/bulk-jobs-api';
import { describeOnDatabase } from '../support/databases';

const OUTCOME = [
  ...['status', 'errorCode', 'errorMessage', 'platformCode', 'messageId', 'sentAt', 'deliveredAt', 'readAt'],
  'updatedAt',
];
const ROWS = [
  ['7', ' Ann ', 'A-1', '0151 / 234', '+49 1512 3456781', 'says "hi"\nand =1+1'],
  ['8', 'Ben', 'A-2', '', '12', ''],
  ['9', 'Cem', 'A-3', 'Köln', '4915123456783', '=HYPERLINK("x")'],
];
const SHEET = ['Nr,Vorname,Bestellung,Ort,Handy', ...ROWS.map((row) => row.map(quoted).join(','))].join('\n');
const COLUMNS = { phone: 'Handy', values: ['Vorname', 'Bestellung'], reference: 'Nr' };

function quoted(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}

describeOnDatabase('The report of a job created from a sheet', (open) => {
  let api: BulkJobsApi;

  beforeAll(async () => {
    api = new BulkJobsApi(await open());
    await api.start();
  });
  beforeEach(() => api.newAccount());
  afterAll(() => api.app.close());

  const newJob = async (sheet: string, columns: object | null = COLUMNS, fields: Record<string, string> = {}) =>
    (await api.upload(sheet, { ...(columns && { columns: JSON.stringify(columns) }), ...fields }).expect(202)).body
      .jobId as string;
  const csvOf = async (jobId: string, query = ''): Promise<string[][]> =>
    parse((await api.get(`/bulk-jobs/${jobId}/report?${query}`).expect(200)).text, { bom: true });
  const cancelled = async (jobId: string) => {
    await api.post(`/bulk-jobs/${jobId}/cancel`).expect(200);
    await api.database.execute(`UPDATE bulk_jobs SET completed_at = now() WHERE id = $1`, [jobId]);
  };
  const storedCells = (jobId: string) =>
    api.database.rows<{ cells: unknown }>(
      'SELECT other_cells AS cells FROM job_recipients WHERE job_id = $1 ORDER BY position',
      [jobId],
    );

  it('has all original columns, also without a header, followed by the outcome', async () => {
    const jobId = await newJob(SHEET);
    const [header, ...rows] = await csvOf(jobId);
    expect(header).toEqual(['Nr', 'Vorname', 'Bestellung', 'Ort', 'Handy', 'F', ...OUTCOME]);
    const guarded = (cell: string) => (/^[=+]/.test(cell) ? `'${cell}` : cell);
    expect(rows.map((row) => row.slice(0, 6))).toEqual(ROWS.map((row) => row.map(guarded)));
    expect(rows.map((row) => row.slice(6, 8))).toEqual([
      ['Pending', ''],
      ['Failed', 'phone_invalid'],
      ['Pending', ''],
    ]);
    const failed = await csvOf(jobId, 'status=Failed');
    expect(failed.slice(1).map((row) => row.slice(0, 6))).toEqual([ROWS[1]]);
    const { body } = await api.get(`/bulk-jobs/${jobId}/report?format=xlsx`).responseType('blob').expect(200);
    const workbook = await new Workbook().xlsx.load(body as never);
    const cells = (workbook.worksheets[0]!.getRow(4).values as unknown[]).slice(1, 7);
    expect(cells).toEqual(ROWS[2]);
    for (const [language, name] of Object.entries({ en: 'Report1', de: 'Bericht1' })) {
      const form = `format=xlsx&language=${language}`;
      const worded = await api.get(`/bulk-jobs/${jobId}/report?${form}`).responseType('blob').expect(200);
      expect((await new Workbook().xlsx.load(worded.body as never)).worksheets[0]!.name).toBe(name);
    }
  });

  it('has the delimiter of the uploaded file if requested, also for a retry', async () => {
    const columns = { phone: 'Handy', values: ['Vorname', 'Bestellung'] };
    const jobId = await newJob('Vorname;Bestellung;Handy\nAnn;"A;1";4915123456781\n', columns);
    const lines = async (id: string, query: string) =>
      (await api.get(`/bulk-jobs/${id}/report?${query}`).expect(200)).text.split('\r\n').slice(0, 2);
    expect(await lines(jobId, 'delimiter=sheet')).toEqual([
      `\ufeff${['Vorname', 'Bestellung', 'Handy', ...OUTCOME].map(quoted).join(';')}`,
      expect.stringMatching(/^"Ann";"A;1";"4915123456781";"Pending";/),
    ]);
    expect((await lines(jobId, ''))[1]).toMatch(/^"Ann","A;1",/);
    await cancelled(jobId);
    const { body } = await api.post(`/bulk-jobs/${jobId}/retry`).send({}).expect(202);
    expect((await lines(body.jobId as string, 'delimiter=sheet'))[1]).toMatch(/^"Ann";/);
    const list = await newJob('4915123456781,Ann,1\n', null);
    expect((await lines(list, 'delimiter=sheet'))[1]).toMatch(/^"1","4915123456781",/);
    // German spreadsheet programs open only semicolons in columns.
    await api.database.execute(
      `UPDATE bulk_jobs SET report_columns = report_columns #- '{sheet,delimiter}' WHERE id = $1`,
      [list],
    );
    expect((await lines(list, 'delimiter=sheet&language=de'))[1]).toMatch(/^"1";"4915123456781";/);
    expect((await lines(list, 'delimiter=sheet&language=en'))[1]).toMatch(/^"1","4915123456781",/);
    expect((await lines(list, 'language=de'))[1]).toMatch(/^"1","4915123456781",/);
  });

  it('is the standard one if requested, with the references', async () => {
    const [header, first, second] = await csvOf(await newJob(SHEET), 'layout=standard');
    const titles = ['rowNumber', 'phone', 'value 1 (body {{1}})', 'value 2 (body {{2}})', 'reference', ...OUTCOME];
    expect(header).toEqual(titles);
    expect(first!.slice(0, 6)).toEqual(['2', '4915123456781', 'Ann', 'A-1', '7', 'Pending']);
    expect(second!.slice(0, 5)).toEqual(['3', '12', 'Ben', 'A-2', '8']);
  });

  it('has the individual data of invalid rows', async () => {
    const sheet = [
      'Handy,Kennung,Name,Order,Nr,Token',
      ...['12,DE.1,Ann,1,K-1,t-1', ',DE.2,Ben,,K-2,', '4915123456783,DE.3,Cem,,K-3,', '4915123456784,DE 4,Dan,4,K-4,'],
      ...['4915123456785,,Eva,5,K-5,'],
    ].join('\n');
    const columns = {
      phone: 'Handy',
      userId: 'Kennung',
      values: ['Name', 'Order'],
      reference: 'Nr',
      flowToken: 'Token',
    };
    const jobId = await newJob(sheet, columns);
    const [header, ...rows] = await csvOf(jobId, 'layout=standard');
    expect(header!.slice(1, 7)).toEqual([
      ...['phone', 'userId', 'value 1 (body {{1}})', 'value 2 (body {{2}})'],
      ...['flowToken', 'reference'],
    ]);
    expect(rows.map((row) => [row[1], row[2], row[5], row[6], row[8]])).toEqual([
      ['12', 'DE.1', 't-1', 'K-1', 'phone_invalid'],
      ['DE.2', 'DE.2', '', 'K-2', 'parameter_missing'],
      ['4915123456783', 'DE.3', '', 'K-3', 'parameter_missing'],
      ['4915123456784', '', '', 'K-4', 'user_id_invalid'],
      ['4915123456785', '', '', 'K-5', ''],
    ]);
    expect((await csvOf(jobId)).map((row) => row.slice(0, 6).join(','))).toEqual(sheet.split('\n'));
  });

  it('stores only data of each row that is not stored elsewhere', async () => {
    const plain = 'Handy,Name,Order,Nr\n4915123456781,Ann,1,K-1\n4915123456782,Ben,2,K-2\n';
    const columns = { phone: 'Handy', values: ['Name', 'Order'], reference: 'Nr' };
    const jobId = await newJob(plain, columns);
    expect(await storedCells(jobId)).toEqual([{ cells: null }, { cells: null }]);
    expect((await csvOf(jobId)).slice(1).map((row) => row.slice(0, 4))).toEqual([
      ['4915123456781', 'Ann', '1', 'K-1'],
      ['4915123456782', 'Ben', '2', 'K-2'],
    ]);
    expect(await storedCells(await newJob(`${plain}4915123456783,Cem,3,K-3,new\n`, columns))).toEqual([
      { cells: null },
      { cells: null },
      { cells: ['', '', '', '', 'new'] },
    ]);
  });

  it('renames outcome columns that the sheet already has', async () => {
    const sheet = 'phone,status,order,status (message)\n4915123456781,vip,1,x\n';
    const jobId = await newJob(sheet, { phone: 'phone', values: ['status', 'order'] });
    expect((await csvOf(jobId))[0]).toEqual([
      ...['phone', 'status', 'order', 'status (message)', 'status (2)'],
      ...OUTCOME.slice(1),
    ]);
  });

  it('has the sheet of positional columns only if requested, with the phone numbers as they are sent to', async () => {
    const jobId = await newJob('Handy,Name,\n+49 1512 3456781,Ann,1\n12,Ben,2,more\n', null);
    const standard = await csvOf(jobId);
    expect(standard[0]!.slice(0, 4)).toEqual(['rowNumber', 'phone', 'value 1 (body {{1}})', 'value 2 (body {{2}})']);
    expect(await csvOf(jobId, 'layout=standard')).toEqual(standard);
    const sheet = await csvOf(jobId, 'layout=sheet');
    expect(sheet.map((row) => row.slice(0, 5))).toEqual([
      ['Handy', 'Name', 'C', 'D', 'status'],
      ['4915123456781', 'Ann', '1', '', 'Pending'],
      ['12', 'Ben', '2', 'more', 'Failed'],
    ]);
    expect((await storedCells(jobId)).map(({ cells }) => cells)).toEqual([null, null]);
  });

  it('has the standard columns for jobs without a sheet, and refuses other layouts', async () => {
    const { body } = await api
      .post('/bulk-jobs', {
        templateName: 'promo',
        recipients: [{ to: '4915123456781', templateParameters: [{ text: 'Ann' }, { text: '1' }] }],
      })
      .expect(202);
    const report = await csvOf(body.jobId, 'layout=sheet');
    expect(report).toEqual(await csvOf(body.jobId));
    expect(report[0]!.slice(0, 2)).toEqual(['rowNumber', 'phone']);
    const { body: refused } = await api.get(`/bulk-jobs/${body.jobId}/report?layout=mine`).expect(400);
    expect(errorsOf(refused)?.map(([field]) => field)).toEqual(['layout']);
  });

  it('shows user ids in their original columns', async () => {
    const sheet =
      'Handy,Kennung,Name,Order\nDE.1,,Ann,1\n,DE.2,Ben,2\n4915123456783,DE.3,Cem,3\n4915123456784,,Dan,4\n';
    const columns = { phone: 'Handy', userId: 'Kennung', values: ['Name', 'Order'] };
    await api.database.execute(
      `INSERT INTO opt_outs (account_id, scope, person, phone, user_id, stopped, source) SELECT $1, 'All', phone, phone, id, false, 'Keyword'
       FROM (VALUES ('4915123456781', 'DE.1'), ('4915123456782', 'DE.2')) AS people (phone, id)`,
      [api.caller.accountId],
    );
    const jobId = await newJob(sheet, columns);
    expect((await csvOf(jobId)).slice(1).map((row) => row.slice(0, 2))).toEqual([
      ['DE.1', ''],
      ['', 'DE.2'],
      ['4915123456783', 'DE.3'],
      ['4915123456784', ''],
    ]);
    expect((await csvOf(jobId, 'layout=standard')).map((row) => row.slice(1, 3))).toEqual([
      ['phone', 'userId'],
      ['4915123456781', 'DE.1'],
      ['4915123456782', 'DE.2'],
      ['4915123456783', 'DE.3'],
      ['4915123456784', ''],
    ]);
  });

  it('has the sheet of the first job in retries', async () => {
    const jobId = await newJob(SHEET, COLUMNS, { hold: 'true' });
    await cancelled(jobId);
    const { body: retry } = await api.post(`/bulk-jobs/${jobId}/retry`, { scope: 'all' }).expect(202);
    await cancelled(retry.jobId);
    const { body: again } = await api.post(`/bulk-jobs/${retry.jobId}/retry`, { scope: 'all' }).expect(202);
    const sheetOf = async (id: string) => (await csvOf(id)).map((row) => row.slice(0, 6));
    const [header, first, , third] = await sheetOf(jobId);
    expect(await sheetOf(again.jobId)).toEqual([header, first, third]);
  });

  it('is blank for erased people: no cell is left', async () => {
    const jobId = await newJob(SHEET);
    await new PostgresJobErasureStore(api.database).erase(jobId, ['4915123456781']);
    const [, erased, ...others] = await csvOf(jobId);
    expect(erased!.slice(0, 8)).toEqual(['', '', '', '', '', '', 'Skipped', 'recipient_erased']);
    expect(others[1]![3]).toBe('Köln');
    const [row] = await api.database.rows<{ text: string }>(
      `SELECT row_to_json(r)::text AS text FROM job_recipients r WHERE job_id = $1 AND position = 1`,
      [jobId],
    );
    expect(row!.text).not.toMatch(/Ann|0151|hi/);
  });

  it('keeps at most 16,384 characters of the other cells of a row', async () => {
    const sheet = `Handy,Note,Name,Order,Last\n4915123456781,${'x'.repeat(16_000)},Ann,1,${'y'.repeat(1000)}\n`;
    const jobId = await newJob(sheet, { phone: 'Handy', values: ['Name', 'Order'] });
    const [, row] = await csvOf(jobId);
    expect([row![1]!.length, row![4]]).toEqual([16_000, 'y'.repeat(384)]);
  });
});

describeOnDatabase('The report of a job whose recipients have extras', (open) => {
  let api: BulkJobsApi;

  beforeAll(async () => {
    api = new BulkJobsApi(await open());
    await api.start();
  });
  beforeEach(() => api.newAccount());
  afterAll(() => api.app.close());

  it('has a column for each field that one of them has', async () => {
    const values = { templateParameters: [{ text: 'Ann' }, { text: '1' }] };
    const recipients = [
      { to: '4915123456781', ...values, headerMediaUrl: 'https://files.example.com/1.png', reference: 'K-1' },
      { userId: 'DE.1', ...values, headerMediaId: '77' },
      { to: 'nobody', ...values, reference: '=K-3', headerMediaId: '78' },
    ];
    const { body } = await api.post('/bulk-jobs', { templateName: 'picture', recipients }).expect(202);
    const { text } = await api.get(`/bulk-jobs/${body.jobId}/report`).expect(200);
    expect(parse(text, { bom: true }).map((row: string[]) => row.slice(0, -8))).toEqual([
      [
        ...['rowNumber', 'phone', 'userId', 'value 1 (body {{1}})', 'value 2 (body {{2}})'],
        ...['headerMediaId', 'headerMediaUrl', 'reference', 'status'],
      ],
      ['1', '4915123456781', '', 'Ann', '1', '', 'https://files.example.com/1.png', 'K-1', 'Pending'],
      ['2', 'DE.1', 'DE.1', 'Ann', '1', '77', '', '', 'Pending'],
      ['3', 'nobody', '', 'Ann', '1', '78', '', "'=K-3", 'Failed'],
    ]);
    const plain = await api.upload(CSV).expect(202);
    const { text: report } = await api.get(`/bulk-jobs/${plain.body.jobId}/report`).expect(200);
    expect(report.split('\r\n')[0]).toBe(
      `\ufeff"rowNumber","phone","value 1 (body {{1}})","value 2 (body {{2}})",${OUTCOME.map((one) => `"${one}"`).join()}`,
    );
  });
});
