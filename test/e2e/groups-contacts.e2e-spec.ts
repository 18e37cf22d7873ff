import { ended, phones, recipientsOf } from '../support/process/bulk';
import { Client } from '../support/process/client';
import { Platform } from '../support/process/platform';
import { type Service, startService, until } from '../support/process/service';

describe('Contacts of a group', () => {
  let platform: Platform;
  let service: Service;
  let client: Client;

  beforeAll(async () => {
    platform = await Platform.start({ autoCreateSenders: true });
    service = await startService({ platformUrl: platform.url });
    client = new Client(service);
  });

  afterAll(async () => {
    await service?.stop();
    await service?.store.drop();
    await platform?.close();
  });

  const importFile = (groupId: string, content: string, fields: Record<string, string> = {}) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append('file', new Blob([content]), 'people.csv');
    return client.call('POST', `/groups/${groupId}/contacts/import`, { form });
  };

  it('come from a file, are found, are sent to with their values, and are erased with what was said', async () => {
    const [anna, ben, cara] = phones(3, 8800) as [string, string, string];
    const { body: group } = await client.post('/groups', { name: 'From a file' });
    const file = `phone,Name,1,2\n${anna},Anna Öz,Anna,A-1\n${ben},Ben,Ben,B-2\n${cara},Cara,Cara,C-3\n${ben},again,x,y\n`;
    const trial = await importFile(group.id, file, { dryRun: 'true' });
    expect([trial.status, trial.body]).toEqual([
      200,
      { added: 3, updated: 0, duplicates: 1, invalid: 0, errors: [], warnings: [] },
    ]);
    expect((await client.get(`/groups/${group.id}`)).body.contactCount).toBe(0);
    expect((await importFile(group.id, file)).body).toEqual(trial.body);
    expect((await client.get(`/groups/${group.id}`)).body.contactCount).toBe(3);

    const found = await client.get(`/groups/${group.id}/contacts?search=${encodeURIComponent('ANNA ö')}`);
    expect(found.body.items).toMatchObject([{ phone: anna, name: 'Anna Öz', parameters: { '1': 'Anna', '2': 'A-1' } }]);
    const contactId = found.body.items[0].id as string;

    const send = { groupId: group.id, templateName: 'order_update' };
    const { body: job } = await client.post('/send-template-to-group', send);
    await ended(client, job.jobId);
    const sent = (await recipientsOf(client, job.jobId)).find((one) => one.phone === anna);
    expect(sent).toMatchObject({ parameters: ['Anna', 'A-1'] });

    await client.post('/opt-outs', { phone: anna });
    const erased = await client.call('DELETE', `/contacts/${contactId}?erase=true`);
    expect([202, 204]).toContain(erased.status);
    expect((await client.get(`/contacts/${contactId}`)).status).toBe(404);
    await until(
      async () => (await recipientsOf(client, job.jobId)).every((one) => one.phone !== anna),
      20_000,
      'the number is gone from the job',
    );
    const rows = await recipientsOf(client, job.jobId);
    expect(rows.map((one) => one.phone).sort()).toEqual(['', ben, cara].sort());
    expect(rows.find((one) => one.phone === '')).toMatchObject({ rowNumber: sent!.rowNumber, parameters: [] });
    await until(
      async () => (await client.get(`/messages?to=${anna}`)).body.items.length === 0,
      20_000,
      'the messages are gone from the history',
    );
    expect((await client.get(`/opt-outs`)).body.items).toMatchObject([{ phone: anna }]);
    expect((await client.get(`/groups/${group.id}`)).body.contactCount).toBe(2);
    expect((await client.call('DELETE', `/contacts/${contactId}?erase=true`)).status).toBe(404);
  });
});
