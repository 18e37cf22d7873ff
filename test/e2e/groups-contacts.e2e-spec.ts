import * as operations from '../../libs/client/generated/sdk.gen';
import { groupOf, ended, phones, recipientsOf } from '../support/process/bulk';
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

  const importFile = (groupId: string, content: string, dryRun: 'true' | 'false') => {
    const body = { file: new File([content], 'people.csv'), dryRun };
    return client.messaging().call(operations.importGroupContacts, { path: { groupId }, body });
  };

  it('are imported from a file, found, sent to with their values, and erased with their messages', async () => {
    const [anna, ben, cara] = phones(3, 8800) as [string, string, string];
    const messaging = client.messaging();
    const groupId = await groupOf(client, 'From a file', []);
    const group = () => messaging.call(operations.getGroup, { path: { groupId } });
    const file = `phone,Name,1,2\n${anna},Anna Öz,Anna,A-1\n${ben},Ben,Ben,B-2\n${cara},Cara,Cara,C-3\n${ben},again,x,y\n`;
    const trial = await importFile(groupId, file, 'true');
    expect(trial).toEqual({ added: 3, updated: 0, duplicates: 1, invalid: 0, errors: [], warnings: [] });
    expect((await group()).contactCount).toBe(0);
    expect(await importFile(groupId, file, 'false')).toEqual(trial);
    expect((await group()).contactCount).toBe(3);

    const query = { search: 'ANNA ö' };
    const { items } = await messaging.call(operations.listGroupContacts, { path: { groupId }, query });
    expect(items).toMatchObject([{ phone: anna, name: 'Anna Öz', parameters: { '1': 'Anna', '2': 'A-1' } }]);
    const contactId = items[0]!.id;

    const job = await messaging.sendToGroup({ groupId, templateName: 'order_update' });
    await ended(client, job.jobId);
    const sent = (await recipientsOf(client, job.jobId)).find((one) => one.phone === anna);
    expect(sent).toMatchObject({ parameters: ['Anna', 'A-1'] });

    await messaging.call(operations.addOptOut, { body: { phone: anna } });
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
      async () => (await messaging.messages({ to: anna }).next()).done === true,
      20_000,
      'the messages are gone from the history',
    );
    expect((await messaging.call(operations.listOptOuts, {})).items).toMatchObject([{ phone: anna }]);
    expect((await group()).contactCount).toBe(2);
    expect((await client.call('DELETE', `/contacts/${contactId}?erase=true`)).status).toBe(404);
  });
});
