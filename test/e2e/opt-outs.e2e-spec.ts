import { control, ended, phone, recipientsOf, sendTo, settled } from '../support/process/bulk';
import { Client, type Json } from '../support/process/client';
import { expectError } from '../support/process/errors';
import { Platform } from '../support/process/platform';
import { type Service, startService, until } from '../support/process/service';
import { freePort } from '../support/free-port';
import { FIRST_SENDER } from '../support/process/webhook';

const PACE = 20;

describe('A person who has opted out', () => {
  let platform: Platform;
  let service: Service;
  let client: Client;
  let next = 700_000;

  beforeAll(async () => {
    platform = await Platform.start();
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/`;
    const env = { PORT: String(port), PUBLIC_URL: url, MESSAGES_PER_SECOND: String(PACE) };
    service = await startService({ platformUrl: platform.url, env });
    client = new Client(service);
    await platform.subscribed();
  });

  afterAll(async () => {
    await service?.stop();
    await service?.store.drop();
    await platform?.close();
  });

  const newPhone = () => phone((next += 1));
  const tell = async (path: string, body: object): Promise<void> => {
    const answer = await fetch(`${platform.url}/sandbox/${path}`, { method: 'POST', body: JSON.stringify(body) });
    expect(answer.status).toBe(200);
  };
  const write = (from: string, text: string) => tell('inbound', { from, text });
  const send = (to: string, templateName = 'hello_world') => {
    const templateParameters = templateName === 'summer_sale' ? [{ text: 'Anna' }] : [];
    const headerMediaUrl = templateName === 'summer_sale' ? 'https://example.com/a.png' : undefined;
    return client.post('/send-template', { to, templateName, templateParameters, headerMediaUrl });
  };
  const optOutsOf = async (to: string): Promise<Json[]> =>
    ((await client.get('/opt-outs?pageSize=100')).body.items as Json[]).filter((item) => item.phone === to);
  const isOptedOut = async (to: string, scope = 'All') => (await optOutsOf(to)).some((item) => item.scope === scope);
  const out = (to: string, scope?: string) => until(() => isOptedOut(to, scope), 10_000, `${to} has opted out`);
  const back = (to: string, scope?: string) =>
    until(async () => !(await isOptedOut(to, scope)), 10_000, `${to} has opted in again`);
  const acceptedFor = async (to: string) => (await platform.accepted()).filter((one) => one === to).length;

  it('opts out with a keyword, and in again with another', async () => {
    const to = '4915199990009';
    expect((await send(to)).status).toBe(201);
    await out(to);
    expect(await optOutsOf(to)).toEqual([
      { phone: to, userId: expect.any(String), scope: 'All', source: 'Keyword', createdAt: expect.any(String) },
    ]);
    expectError(await send(to), 422, 'recipient_opted_out');
    const { body: contacts } = await client.get(`/contacts?phone=${to}`);
    expect(contacts.items).toMatchObject([{ phone: to, optedOut: true }]);

    await write(to, 'start!');
    await back(to);
    expect((await send(to)).status).toBe(201);
  });

  it('is not opted out by a sentence or a button', async () => {
    const to = newPhone();
    await write(to, 'Please stop');
    await tell('inbound', { from: to, type: 'button', content: { text: 'Cancel', payload: 'CANCEL' } });
    await tell('inbound', {
      from: to,
      type: 'interactive',
      content: { type: 'button_reply', button_reply: { id: 'STOP', title: 'STOP' } },
    });
    const received = async () => (await client.get(`/conversations?search=${to}`)).body.items[0]?.unreadCount === 3;
    await until(received, 10_000, 'all three are received');
    expect(await optOutsOf(to)).toEqual([]);
  });

  it("opts out with the account's keywords", async () => {
    const path = '/settings/opt-out-keywords';
    const service = { optOutKeywords: ['STOP', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT'], optInKeywords: ['START'] };
    expect((await client.get(path)).body).toEqual(service);
    const own = { optOutKeywords: ['BAJA', 'iptal'], optInKeywords: ['Alta'] };
    expect(await client.call('PUT', path, { body: own })).toMatchObject({ status: 200, body: own });
    expect((await client.get(path)).body).toEqual(own);
    const [one, other, third] = [newPhone(), newPhone(), newPhone()];
    await write(third, 'CANCEL');
    await write(one, 'İPTAL');
    await write(other, 'stop');
    await out(one);
    await out(other);
    expect(await isOptedOut(third)).toBe(false);

    const invalid = { optOutKeywords: ['baja', 'Baja!', 'START'], optInKeywords: [''] };
    const refused = expectError(await client.call('PUT', path, { body: invalid }), 400, 'validation_failed');
    expect((refused.errors as { field: string }[]).map(({ field }) => field)).toEqual([
      'optOutKeywords.1',
      'optOutKeywords.2',
      'optInKeywords.0',
    ]);
    for (const body of [{}, { ...own, optInKeywords: [] }, { ...own, optInKeywords: [1] }, { ...own, more: 1 }]) {
      expectError(await client.call('PUT', path, { body }), 400, 'validation_failed');
    }
    expect((await client.call('PUT', path, { body: service })).status).toBe(200);
  });

  it('is skipped by a running job', async () => {
    const numbers = Array.from({ length: 3 * PACE }, newPhone);
    const jobId = await sendTo(client, numbers);
    await settled(client, jobId, 2);
    // Even on a slow machine, the job must not end before the keyword arrives.
    await control(client, 'pause', jobId);
    const last = numbers.at(-1)!;
    await write(last, 'STOP');
    await out(last);
    await control(client, 'resume', jobId);
    const job = await ended(client, jobId);
    expect(job).toMatchObject({ status: 'Completed', successfullySent: numbers.length - 1, failed: 1, skipped: 1 });
    const [skipped] = (await recipientsOf(client, jobId)).filter((recipient) => recipient.phone === last);
    expect(skipped).toMatchObject({ status: 'Skipped', errorCode: 'opted_out', platformMessageId: null });
    expect(await acceptedFor(last)).toBe(0);
  });

  it('gets no later attempt of a job, and no waiting single send', async () => {
    const [ofJob, single] = [newPhone(), newPhone()];
    await platform.configure({ refuseNext: { code: 131056, count: 2 } });
    const jobId = await sendTo(client, [ofJob]);
    await until(async () => (await recipientsOf(client, jobId))[0]!.attempts === 1, 10_000, 'it was tried');
    const queued = await send(single);
    expect(queued).toMatchObject({ status: 202, body: { status: 'Queued' } });
    for (const to of [ofJob, single]) expect((await client.post('/opt-outs', { phone: to })).status).toBe(201);

    expect(await ended(client, jobId)).toMatchObject({ status: 'Completed', failed: 1, skipped: 1 });
    expect((await recipientsOf(client, jobId))[0]).toMatchObject({
      status: 'Skipped',
      errorCode: 'opted_out',
    });
    const message = async () => (await client.get(`/messages/${queued.body.messageId}`)).body as { status: string };
    await until(async () => (await message()).status === 'Failed', 10_000, 'the queued message is cancelled');
    expect(await message()).toMatchObject({ error: { code: 'opted_out' } });
    expect([await acceptedFor(ofJob), await acceptedFor(single)]).toEqual([0, 0]);
  });

  it('has stopped marketing only, as reported by a refusal', async () => {
    const to = newPhone();
    await platform.configure({ refuseNext: { code: 131050, count: 1 } });
    expect(expectError(await send(to, 'summer_sale'), 422, 'marketing_stopped').platformCode).toBe(131050);
    expect(await optOutsOf(to)).toMatchObject([{ scope: 'Marketing', source: 'Platform' }]);
    expectError(await send(to, 'summer_sale'), 422, 'recipient_opted_out');
    expect((await send(to)).status).toBe(201);
    const media = { headerMediaUrl: 'https://example.com/a.png' };
    const file = { name: 'list.csv', content: `phone,name\n${to},Anna\n` };
    const { body } = await client.upload(file, { templateName: 'summer_sale', ...media });
    expect(await ended(client, body.jobId as string)).toMatchObject({ skipped: 1 });
    expect(await ended(client, await sendTo(client, [to]))).toMatchObject({ successfullySent: 1, skipped: 0 });

    const value = (word: string) => ({
      messaging_product: 'whatsapp',
      metadata: { phone_number_id: FIRST_SENDER.phoneNumberId },
      contacts: [{ wa_id: to }],
      user_preferences: [
        { wa_id: to, category: 'marketing_messages', value: word, timestamp: Math.floor(Date.now() / 1000) },
      ],
    });
    await tell('webhooks', { field: 'user_preferences', value: value('resume') });
    await back(to, 'Marketing');
    expect((await send(to, 'summer_sale')).status).toBe(201);
  });

  it('has stopped marketing only, as reported by a failed delivery', async () => {
    const to = newPhone();
    await platform.configure({ faults: { failLater: { 131050: 1 } } });
    expect((await send(to, 'summer_sale')).status).toBe(201);
    await out(to, 'Marketing');
    await platform.configure({ faults: { failLater: {} } });
    expectError(await send(to, 'summer_sale'), 422, 'recipient_opted_out');
    expect((await client.call('DELETE', `/opt-outs/${to}`)).status).toBe(204);
    expect((await send(to, 'summer_sale')).status).toBe(201);
  });
});
