import * as operations from '../../libs/client/generated/sdk.gen';
import type { ConversationDto } from '../../libs/client/generated/types.gen';
import { anotherAccount } from '../support/process/accounts';
import { Client } from '../support/process/client';
import { expectError } from '../support/process/errors';
import { Platform } from '../support/process/platform';
import { type Service, startService, until } from '../support/process/service';
import { freePort } from '../support/free-port';

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
    await client.messaging().call(operations.syncTemplates, {});
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

  async function conversation(
    phone: string,
    isAsWanted: (found: ConversationDto) => boolean,
  ): Promise<ConversationDto> {
    let found: ConversationDto | undefined;
    const listed = async () => {
      for await (const one of client.messaging().conversations({ search: phone })) if (isAsWanted(one)) found = one;
      return found !== undefined;
    };
    await until(listed, 10_000, 'the conversation has the expected state');
    return found!;
  }

  const send = (to: string) =>
    client.messaging().sendTemplate({
      ...{ to, templateName: 'order_update', languageCode: 'en_US', reference: 'order-4711' },
      templateParameters: [{ text: 'Anna' }, { text: '4711' }],
    });

  it('shows messages in both directions, is marked as read, exported and erased', async () => {
    const sent = await send(PHONE);
    expect(sent).toMatchObject({ status: 'Sent' });
    await writes(PHONE, 'Thanks! =1+1', 'Anna S.');
    const listed = await conversation(PHONE, ({ unreadCount }) => unreadCount === 1);
    expect(listed).toMatchObject({
      ...{ contactPhone: PHONE, contactName: 'Anna S.', lastDirection: 'Inbound', lastText: 'Thanks! =1+1' },
      ...{ unreadCount: 1, optedOut: false, windowExpiresAt: expect.any(String) },
    });
    const path = `/conversations/${listed.id}`;

    const messaging = client.messaging();
    const input = { path: { conversationId: listed.id } };
    const message = { path: { messageId: sent.messageId } };
    const delivered = async () => (await messaging.call(operations.getMessage, message)).status === 'Delivered';
    await until(delivered, 10_000, 'the template is delivered');
    const messages = await messaging.call(operations.listConversationMessages, input);
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
    for (const query of [{ to: `+${PHONE}` }, { reference: 'order-4711' }, { status: 'Delivered' as const }]) {
      const { items } = await messaging.call(operations.listMessages, { query });
      expect(items).toMatchObject([{ id: sent.messageId }]);
    }

    const marked = await messaging.call(operations.markConversationRead, { ...input, body: {} });
    expect(marked).toEqual({ conversationId: listed.id, unreadCount: 0, readReceipt: 'Sent' });

    const { body: exported } = await client.get(`${path}/export`);
    expect(exported).toMatchObject({ conversation: { id: listed.id }, messages: [{ id: sent.messageId }, {}] });
    const { body: csv } = await client.get(`${path}/export?format=csv`);
    expect((csv as string).trimEnd().split('\r\n')).toHaveLength(3);

    expect((await client.call('DELETE', path)).status).toBe(204);
    expectError(await client.get(path), 404, 'conversation_not_found');
    expectError(await client.get(`/messages/${sent.messageId}`), 404, 'message_not_found');
  });

  it('is deleted with the contact of an erased person, and starts again when they write', async () => {
    const phone = '4915177450020';
    await writes(phone, 'My secret');
    const { id } = await conversation(phone, () => true);
    const messaging = client.messaging();
    const message = { to: phone, templateName: 'hello_world' };
    const send = () => messaging.sendTemplate(message, { idempotencyKey: 'before-the-erasure' });
    const first = await send();
    for await (const { id: contactId } of messaging.contacts({ phone })) {
      await messaging.call(operations.deleteContact, { path: { contactId }, query: { erase: 'true' } });
    }
    const gone = async () => (await client.get(`/conversations/${id}`)).status === 404;
    await until(gone, 10_000, 'the conversation is gone');
    const forgotten = async () => (await send()).to === '';
    await until(forgotten, 10_000, 'the kept answer has no number');
    expect(await send()).toMatchObject({ messageId: first.messageId, platformMessageId: null });
    await writes(phone, 'Hello again');
    expect(await conversation(phone, () => true)).toMatchObject({ id, unreadCount: 1, lastText: 'Hello again' });
    expect((await client.get(`/conversations/${id}/messages`)).body.items).toHaveLength(1);
  });

  it('is hidden from other accounts, and needs the scopes', async () => {
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
