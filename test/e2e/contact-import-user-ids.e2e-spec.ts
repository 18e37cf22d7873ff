import { Client, type Json } from '../support/process/client';
import { expectError } from '../support/process/errors';
import { Platform } from '../support/process/platform';
import { type Service, startService } from '../support/process/service';
import { messyWorkbook, workbookOf } from '../support/workbooks';

const COLUMNS = JSON.stringify({ phone: 'Handy', userId: 'Kennung', values: [] });

describe('An import of contacts with user ids, ambiguous numbers or several sheets', () => {
  let platform: Platform;
  let service: Service;
  let client: Client;
  let groupId: string;

  beforeAll(async () => {
    platform = await Platform.start();
    service = await startService({ platformUrl: platform.url });
    client = new Client(service);
  });

  beforeEach(async () => {
    groupId = (await client.post('/groups', { name: `VIP ${Math.random()}` })).body.id as string;
  });

  afterAll(async () => {
    await service?.stop();
    await service?.store.drop();
    await platform?.close();
  });

  const upload = (rows: string[] | Buffer, fields: Record<string, string> = {}) => {
    const form = new FormData();
    const content = Array.isArray(rows) ? ['Handy,Kennung', ...rows].join('\n') : new Uint8Array(rows);
    for (const [name, value] of Object.entries({ columns: COLUMNS, ...fields })) form.append(name, value);
    form.append('file', new Blob([content]), 'people.csv');
    return client.call('POST', `/groups/${groupId}/contacts/import`, { form });
  };
  const members = async () =>
    ((await client.get(`/groups/${groupId}/contacts`)).body.items as Json[]).map(
      ({ phone, userId }) => `${String(phone)} ${String(userId)}`,
    );

  it('reads digits that are valid in two countries as those of the given one, and warns in the check and in the answer', async () => {
    const rows = ['15123456789,', '+15123456780,'];
    const warnings = [
      expect.stringMatching(/^ambiguous_numbers: 1 number .* first row 2: .* read as \+4915123456789,/),
    ];
    const { body: check } = await upload(rows, { defaultCountry: 'DE', dryRun: 'true' });
    expect(check).toMatchObject({ added: 2, warnings });
    const { body } = await upload(rows, { defaultCountry: 'DE' });
    expect(body).toMatchObject({ added: 2, warnings });
    expect((await members()).sort()).toEqual(['15123456780 null', '4915123456789 null']);
  });

  it('reads the named sheet below a title, with the row numbers of the file, and warns of what was not read', async () => {
    const workbook = await messyWorkbook();
    const fields = { sheet: 'Müller "Süd"', columns: '{"phone":"Handy","name":"Vorname"}' };
    const { body } = await upload(workbook, fields);
    const titled = expect.stringContaining('header_row: Row 3 was read as the header.');
    expect(body).toMatchObject({ added: 3, invalid: 1, errors: [{ rowNumber: 7 }], warnings: [titled] });
    const dates = expect.stringContaining('Column C has dates of both orders');
    const { body: checked } = await upload(workbook, { ...fields, headerRow: '3', dryRun: 'true' });
    expect(checked).toMatchObject({ updated: 3, warnings: [dates] });
    const { body: guessed } = await upload(workbook, { ...fields, columns: 'auto', dryRun: 'true' });
    expect(guessed).toMatchObject({ suggestedColumns: { phone: { source: 'Handy' } }, updated: 3 });
    const { body: first } = await upload(workbook, { columns: '{"phone":"Phone"}', dryRun: 'true' });
    expect(first).toMatchObject({ added: 1, warnings: [expect.stringMatching(/^other_sheets: Only the sheet "Alt"/)] });
    const { body: refused } = await upload(workbook, { sheet: 'Nope' });
    expect(refused).toMatchObject({ code: 'validation_failed', errors: [{ field: 'sheet', code: 'invalid' }] });
  });

  it('reads the dates of a workbook in the language of cellLanguage', async () => {
    const day = new Date('2026-12-06T00:00:00Z');
    const workbook = await workbookOf({
      Kunden: [
        ['Handy', 'Tag'],
        ['+4915123456781', day],
      ],
    });
    const columns = '{"phone":"Handy","values":["Tag"]}';
    const { body } = await upload(workbook, { columns, cellLanguage: 'de' });
    expect(body).toMatchObject({ added: 1, warnings: [expect.stringMatching(/^cell_language: .*"06\.12\.2026"/)] });
    const { items } = (await client.get(`/groups/${groupId}/contacts`)).body as { items: Json[] };
    expect(items).toMatchObject([{ parameters: { '1': '06.12.2026' } }]);
    expectError(await upload(workbook, { columns, cellLanguage: 'xx' }), 400, 'validation_failed');
  });

  it('joins rows with one identity of a person to those with both', async () => {
    const rows = ['4915123456781,DE.111', ',DE.111', ',DE.222', '4915123456783,DE.111', '4915123456784,x'];
    const { status, body } = await upload(rows);
    expect([status, body]).toMatchObject([200, { added: 2, updated: 0, duplicates: 1, invalid: 2 }]);
    expect(body.errors).toMatchObject([
      { rowNumber: 5, field: 'userId', code: 'recipient_ids_differ' },
      { rowNumber: 6, field: 'userId', code: 'user_id_invalid' },
    ]);
    expect((await members()).sort()).toEqual(['4915123456781 DE.111', 'null DE.222']);
  });

  it('reports rows with the user id of another contact, in dry runs too', async () => {
    await client.post('/contacts', { userId: 'DE.333' });
    const sheet = ['4915123456785,DE.333', '4915123456786,'];
    const expected = { added: 1, updated: 0, invalid: 1, errors: [{ rowNumber: 2, code: 'user_id_taken' }] };
    const { body: checked } = await upload(sheet, { dryRun: 'true' });
    expect(checked).toMatchObject(expected);
    expect(checked.errors[0].cells).toEqual(['4915123456785', 'DE.333']);
    const file = await upload(sheet, { dryRun: 'true', badRows: 'csv', badRowsLanguage: 'de' });
    expect(file.body).toMatch(
      /^\uFEFF?"Fehler","Zeile","Handy","Kennung"\r\n"[^"]+","2","4915123456785","DE.333"\r\n$/,
    );
    expectError(await upload(sheet, { badRows: 'csv' }), 400, 'validation_failed');
    expectError(await upload(sheet, { onInvalidRows: 'reject' }), 422, 'invalid_rows');
    expect(await members()).toEqual([]);
    expect((await upload(sheet)).body).toMatchObject(expected);
    expect(await members()).toEqual(['4915123456786 null']);
  });
});
