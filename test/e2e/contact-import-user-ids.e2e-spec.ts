import { Client, type Json } from '../support/process/client';
import { expectError } from '../support/process/errors';
import { Platform } from '../support/process/platform';
import { type Service, startService } from '../support/process/service';

const COLUMNS = JSON.stringify({ phone: 'Handy', userId: 'Kennung', values: [] });

describe('An import of contacts with user ids', () => {
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

  const upload = (rows: string[], fields: Record<string, string> = {}) => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ columns: COLUMNS, ...fields })) form.append(name, value);
    form.append('file', new Blob([['Handy,Kennung', ...rows].join('\n')]), 'people.csv');
    return client.call('POST', `/groups/${groupId}/contacts/import`, { form });
  };
  const members = async () =>
    ((await client.get(`/groups/${groupId}/contacts`)).body.items as Json[]).map(
      ({ phone, userId }) => `${String(phone)} ${String(userId)}`,
    );

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
