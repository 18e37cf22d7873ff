import { describeOnDatabase } from '../support/databases';
import { BulkJobsApi } from '../support/bulk-jobs-api';
import { messyWorkbook, workbookOf } from '../support/workbooks';

const SHEET = 'Müller "Süd"';
const COLUMNS = JSON.stringify({ phone: 'Handy', values: ['Vorname', 'Termin'] });
const OTHER_SHEETS =
  'other_sheets: Only the sheet "Alt" was read. Other sheets with rows: "Müller \\"Süd\\"". To read one of them, send its name as sheet.';
const TITLE = expect.stringMatching(/^header_row: Row 3 was read as the header\..*"Kunden Mai 2026" in row 1\./);
const DATES = expect.stringContaining('Column C has dates of both orders');

describeOnDatabase('A workbook with several sheets and a title', (open) => {
  let api: BulkJobsApi;
  let workbook: Buffer;

  beforeAll(async () => {
    api = new BulkJobsApi(await open());
    await api.start();
    workbook = await messyWorkbook();
  });
  beforeEach(() => api.newAccount());
  afterAll(() => api.app.close());

  const upload = (fields: Record<string, string>) => api.upload(workbook, fields);

  it('is imported from the named sheet, below the title, with the row numbers of the file', async () => {
    const { body } = await upload({ sheet: SHEET, columns: COLUMNS }).expect(202);
    expect(body).toMatchObject({ totalRecipients: 4, invalidRows: 1, warnings: [TITLE] });
    const { body: recipients } = await api.get(`/bulk-jobs/${body.jobId}/recipients`).expect(200);
    expect(recipients.items).toMatchObject([
      { rowNumber: 4, phone: '4915123456781' },
      { rowNumber: 5, phone: '4915123456782' },
      { rowNumber: 6, phone: '4915123456783' },
      { rowNumber: 7, errorCode: 'phone_invalid' },
    ]);
    const named = await upload({ sheet: SHEET, headerRow: '3', columns: COLUMNS }).expect(202);
    expect(named.body.warnings).toEqual([]);
  });

  it('is read from the first sheet with the columns, guessed or named', async () => {
    const found = expect.stringMatching(
      /^other_sheets: Only the sheet "Kunden" was read, the first with .* rows: "Notizen"\./,
    );
    const sheets = {
      Notizen: [['Bitte pruefen'], ['bis morgen']],
      Kunden: [
        ['Vorname', 'Termin', 'Handy'],
        ['Ann', '9 Uhr', '+4915123456781'],
      ],
    };
    const file = await workbookOf(sheets);
    const guessed = await api.upload(file, { columns: 'auto', dryRun: 'true' }).expect(200);
    expect(guessed.body).toMatchObject({
      suggestedColumns: { phone: { source: 'Handy' } },
      columns: [{ header: 'Vorname' }, { header: 'Termin' }, { header: 'Handy', use: 'phone' }],
      warnings: expect.arrayContaining([found]),
    });
    const { body } = await api.upload(file, { columns: COLUMNS }).expect(202);
    expect(body).toMatchObject({ totalRecipients: 1, invalidRows: 0, warnings: [found] });
  });

  it('is checked with warnings of the other sheet, the title and the dates', async () => {
    const first = await upload({ columns: '{"phone":"Phone","values":["A","A"]}', dryRun: 'true' }).expect(200);
    expect(first.body).toMatchObject({ totalRecipients: 1, warnings: [OTHER_SHEETS] });
    const { body } = await upload({ sheet: SHEET, columns: 'auto', dryRun: 'true' }).expect(200);
    expect(body).toMatchObject({
      suggestedColumns: { phone: { source: 'Handy', confidence: 'high' } },
      columns: [{ header: 'Nr' }, { header: 'Vorname' }, { header: 'Termin' }, { header: 'Handy', use: 'phone' }],
      warnings: expect.arrayContaining([TITLE]),
    });
    const checked = await upload({ sheet: SHEET, columns: COLUMNS, dryRun: 'true' }).expect(200);
    expect(checked.body).toMatchObject({
      warnings: [TITLE, DATES],
      errors: [{ rowNumber: 7, cells: ['4', 'Dan', '04/27/2026', '12'] }],
    });
  });

  it('of which the header row is named is guessed by that row', async () => {
    const { body } = await upload({ sheet: SHEET, headerRow: '4', columns: 'auto', dryRun: 'true' }).expect(200);
    expect((body.columns as { header: string }[]).map(({ header }) => header)).toEqual([
      '1',
      'Ann',
      '03/04/2026',
      '+4915123456781',
    ]);
    expect(body.totalRecipients).toBe(3);
  });

  it.each([
    [
      { sheet: 'Kunden' },
      'sheet',
      'invalid',
      'sheet is "Kunden", but the file has no such sheet. Its sheets are: "Alt", "Müller \\"Süd\\"", "Listen", "Leer".',
    ],
    [{ sheet: SHEET, headerRow: '2' }, 'headerRow', 'invalid', expect.stringContaining('headerRow is 2, but that row')],
    [{ headerRow: '1', hasHeader: 'false' }, 'headerRow', 'not_allowed', expect.stringContaining('hasHeader=false')],
    [{ headerRow: '0' }, 'headerRow', expect.any(String), expect.any(String)],
    [{ headerRow: '1e1' }, 'headerRow', expect.any(String), expect.any(String)],
    [{ sheet: 'x'.repeat(256) }, 'sheet', expect.any(String), expect.any(String)],
  ])('is rejected with %j', async (fields, field, code, message) => {
    for (const dryRun of ['true', 'false']) {
      const { body } = await upload({ ...(fields as Record<string, string>), columns: COLUMNS, dryRun }).expect(400);
      expect(body).toMatchObject({ code: 'validation_failed', errors: [{ field, code, message }] });
    }
    expect(await api.leftOvers()).toEqual({ jobs: 0, recipients: 0 });
  });

  it('is read as without the fields if they are empty', async () => {
    const { body } = await upload({ sheet: '', headerRow: '', columns: '{"phone":"A","values":["A","A"]}' }).expect(
      202,
    );
    expect(body).toMatchObject({ totalRecipients: 1, warnings: [OTHER_SHEETS] });
  });
});
