import { Workbook } from 'exceljs';
import { BulkJobsApi } from '../support/bulk-jobs-api';
import { describeOnDatabase } from '../support/databases';

const COLUMNS = JSON.stringify({ phone: 'Telefon', values: ['Tag', 'Betrag'] });
const NOTE = expect.stringMatching(/^cell_language: .* the language de-DE .* "06\.12\.2026" instead of "12\/6\/2026"/);

async function workbook(): Promise<Buffer> {
  const book = new Workbook();
  const sheet = book.addWorksheet('Kunden');
  sheet.addRow(['Telefon', 'Tag', 'Betrag']);
  sheet.addRow(['+4915112345678', 46_362, 1234.5]);
  sheet.getCell('B2').numFmt = 'mm-dd-yy';
  sheet.getCell('C2').numFmt = '#,##0.00 "€"';
  return Buffer.from(await book.xlsx.writeBuffer());
}

describeOnDatabase('Dates and numbers of a workbook', (open) => {
  let api: BulkJobsApi;
  let file: Buffer;

  beforeAll(async () => {
    api = new BulkJobsApi(await open());
    await api.start();
    file = await workbook();
  });
  beforeEach(() => api.newAccount());
  afterAll(() => api.app.close());

  const upload = (fields: Record<string, string>) => api.upload(file, { columns: COLUMNS, ...fields });

  it('are checked and sent in the language of cellLanguage', async () => {
    const checked = await upload({ cellLanguage: 'de-DE', dryRun: 'true' }).expect(200);
    expect(checked.body).toMatchObject({ warnings: [NOTE], sample: [{ parameters: ['06.12.2026', '1.234,50 €'] }] });
    const { body } = await upload({ cellLanguage: 'de-DE' }).expect(202);
    const { body: recipients } = await api.get(`/bulk-jobs/${body.jobId}/recipients`).expect(200);
    expect(recipients.items).toMatchObject([{ parameters: ['06.12.2026', '1.234,50 €'] }]);
  });

  it.each<Record<string, string>>([{}, { cellLanguage: '' }])('are English without it: %j', async (fields) => {
    const { body } = await upload({ ...fields, dryRun: 'true' }).expect(200);
    expect(body).toMatchObject({
      warnings: [expect.stringMatching(/^Column B has dates/), expect.stringMatching(/^Column C has dates/)],
      sample: [{ parameters: ['12/6/2026', '1,234.50 €'] }],
    });
  });

  it.each(['xx', 'de_DE', 'German', 'd'.repeat(36)])('are refused in the language %s', async (cellLanguage) => {
    for (const dryRun of ['true', 'false']) {
      const { body } = await upload({ cellLanguage, dryRun }).expect(400);
      expect(body).toMatchObject({ code: 'validation_failed', errors: [{ field: 'cellLanguage' }] });
    }
  });

  it('of a CSV file stay as they are', async () => {
    const csv = Buffer.from('Telefon;Tag;Betrag\n+4915112345678;12/6/2026;1,234.50');
    const { body } = await api.upload(csv, { columns: COLUMNS, cellLanguage: 'de', dryRun: 'true' }).expect(200);
    expect(body.sample).toMatchObject([{ parameters: ['12/6/2026', '1,234.50'] }]);
  });
});
