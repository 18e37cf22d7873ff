import { anotherAccount } from '../support/process/accounts';
import { Client, type Json } from '../support/process/client';
import { expectError } from '../support/process/errors';
import { Platform } from '../support/process/platform';
import { type Service, startService, until } from '../support/process/service';
import { freePort } from '../support/process/webhook';

const PHONE = '4915177450010';

describe('A conversation', () => {
  let platform: Platform;
  let service: Service;
  let client: Client;

  beforeAll(async () => {
    platform = await Platform.start({ statusDelayMs: 20, autoCreateSenders: true });
    const port = await freePort();
    service = await startService({
      platformUrl: platform.url,
      env: { PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` },
    });
    client = new Client(service);
    await client.post('/templates/sync');
    await platform.subscribed();
  });

  afterAll(async () => {
    await service?.stop();
    await service?.store.drop();
    await platform?.close();
  });

  const writes = async (from: string, text: string, name?: string) => {
    const body = JSON.stringify({ from, text, name });
    expect((await fetch(`${platform.url}/sandbox/inbound`, { method: 'POST', body })).ok).toBe(true);
  };

  async function conversation(phone: string, isAsWanted: (found: Json) => boolean): Promise<Json> {
    let found: Json;
    const listed = async () => {
      [found] = (await client.get(`/conversations?search=${phone}`)).body.items;
      return found !== undefined && isAsWanted(found);
    };
    await until(listed, 10_000, 'the conversation is as wanted');
    return found;
  }

  const send = (to: string) =>
    client.post('/send-template', {
      ...{ to, templateName: 'order_update', languageCode: 'en_US', reference: 'order-4711' },
      templateParameters: [{ text: 'Anna' }, { text: '4711' }],
    });

  it('shows what was sent and answered, is marked as read, exported and erased', async () => {
    const { body: sent } = await send(PHONE);
    expect(sent).toMatchObject({ status: 'Sent' });
    await writes(PHONE, 'Thanks! =1+1', 'Anna S.');
    const listed = await conversation(PHONE, ({ unreadCount }) => unreadCount === 1);
    expect(listed).toMatchObject({
      ...{ contactPhone: PHONE, contactName: 'Anna S.', lastDirection: 'Inbound', lastText: 'Thanks! =1+1' },
      ...{ unreadCount: 1, optedOut: false, windowExpiresAt: expect.any(String) },
    });
    const path = `/conversations/${listed.id}`;

    const delivered = async () => (await client.get(`/messages/${sent.messageId}`)).body.status === 'Delivered';
    await until(delivered, 10_000, 'the template is delivered');
    const { body: messages } = await client.get(`${path}/messages`);
    expect(messages).toMatchObject({
      items: [
        { direction: 'Inbound', type: 'Text', renderedText: 'Thanks! =1+1', statusHistory: [{ status: 'Received' }] },
        {
          ...{ id: sent.messageId, conversationId: listed.id, direction: 'Outbound', type: 'Template', error: null },
          ...{ renderedText: expect.stringContaining('4711'), parameters: ['Anna', '4711'], reference: 'order-4711' },
          statusHistory: [{ status: 'Queued' }, { status: 'Sent' }, { status: 'Delivered' }],
        },
      ],
      nextCursor: null,
    });
    for (const query of [`to=%2B${PHONE}`, 'reference=order-4711', 'status=Delivered']) {
      expect((await client.get(`/messages?${query}`)).body.items).toMatchObject([{ id: sent.messageId }]);
    }

    const { status, body: marked } = await client.post(`${path}/read`);
    expect({ status, marked }).toEqual({
      status: 200,
      marked: { conversationId: listed.id, unreadCount: 0, readReceipt: 'Sent' },
    });

    const { body: exported } = await client.get(`${path}/export`);
    expect(exported).toMatchObject({ conversation: { id: listed.id }, messages: [{ id: sent.messageId }, {}] });
    const { body: csv } = await client.get(`${path}/export?format=csv`);
    expect((csv as string).trimEnd().split('\r\n')).toHaveLength(3);

    expect((await client.call('DELETE', path)).status).toBe(204);
    expectError(await client.get(path), 404, 'conversation_not_found');
    expectError(await client.get(`/messages/${sent.messageId}`), 404, 'message_not_found');
  });

  it('goes with the contact whose person is erased, and begins anew when they write again', async () => {
    const phone = '4915177450020';
    await writes(phone, 'My secret');
    const { id } = await conversation(phone, () => true);
    const headers = { 'Idempotency-Key': 'before-the-erasure' };
    const send = () => client.post('/send-template', { to: phone, templateName: 'hello_world' }, { headers });
    const { body: first } = await send();
    const { body: contacts } = await client.get(`/contacts?phone=${phone}`);
    const erased = await client.call('DELETE', `/contacts/${contacts.items[0].id}?erase=true`);
    expect([202, 204]).toContain(erased.status);
    const gone = async () => (await client.get(`/conversations/${id}`)).status === 404;
    await until(gone, 10_000, 'the conversation is gone');
    const forgotten = async () => (await send()).body.to === '';
    await until(forgotten, 10_000, 'the kept answer has no number');
    expect((await send()).body).toMatchObject({ messageId: first.messageId, platformMessageId: null });
    await writes(phone, 'Hello again');
    expect(await conversation(phone, () => true)).toMatchObject({ id, unreadCount: 1, lastText: 'Hello again' });
    expect((await client.get(`/conversations/${id}/messages`)).body.items).toHaveLength(1);
  });

  it('is nobody else’s, and needs the scopes', async () => {
    await writes(PHONE, 'Hello');
    const { id } = await conversation(PHONE, () => true);
    const { key } = await anotherAccount(client);
    expectError(await client.get(`/conversations/${id}`, { key }), 404, 'conversation_not_found');
    const { body: reader } = await client.post('/api-keys', { name: 'reader', scopes: ['messaging:read'] });
    expect((await client.get(`/conversations/${id}`, { key: reader.key })).status).toBe(200);
    for (const [method, path] of [
      ['POST', `/conversations/${id}/read`],
      ['DELETE', `/conversations/${id}`],
    ] as const) {
      expectError(await client.call(method, path, { key: reader.key }), 403, 'missing_scope');
    }
  });
});
