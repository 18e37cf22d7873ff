import { Client, type Json } from '../support/process/client';
import { expectError } from '../support/process/errors';
import { type Accepted, Platform } from '../support/process/platform';
import { type Service, startService, until } from '../support/process/service';
import { freePort } from '../support/process/webhook';

type Entry = Accepted & { type: string };

describe('A reply to a person who has written', () => {
  let platform: Platform;
  let service: Service;
  let client: Client;
  let next = 4915177340000;

  beforeAll(async () => {
    platform = await Platform.start({ statusDelayMs: 20, requireAppSecretProof: true });
    const port = await freePort();
    service = await startService({
      platformUrl: platform.url,
      env: { PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` },
    });
    client = new Client(service);
    await platform.subscribed();
  });

  afterAll(async () => {
    await service?.stop();
    await service?.store.drop();
    await platform?.close();
  });

  const newPhone = (ending = '10'): string => `${(next += 1)}${ending}`;

  /** A person writes; the conversation as it is listed once that has come in. */
  async function writes(from: string, text = 'Where is my parcel?'): Promise<Json> {
    const sent = await fetch(`${platform.url}/sandbox/inbound`, {
      method: 'POST',
      body: JSON.stringify({ from, text }),
    });
    expect(sent.ok).toBe(true);
    return listed(from);
  }

  async function listed(phone: string): Promise<Json> {
    let found: Json;
    await until(
      async () => {
        [found] = (await client.get(`/conversations?search=${phone}`)).body.items;
        return found !== undefined;
      },
      10_000,
      'the conversation is listed',
    );
    return found;
  }

  const reply = (conversation: Json, body: object) => client.post(`/conversations/${conversation.id}/messages`, body);

  const acceptedFor = async (phone: string) =>
    ((await platform.ledger()) as Entry[]).filter(({ to }) => to.replace('+', '') === phone);

  const message = async (id: string): Promise<Json> => (await client.get(`/messages/${id}`)).body;

  it('reaches them as text, stands in the conversation, and is delivered', async () => {
    const phone = newPhone();
    const conversation = await writes(phone);
    const answer = await reply(conversation, { text: 'On its way 🚚', reference: 'ticket-1' });

    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      messageId: expect.any(String),
      status: 'Sent',
      conversationId: conversation.id,
      platformMessageId: expect.stringMatching(/^wamid\./),
      createdAt: expect.any(String),
    });
    expect(await acceptedFor(phone)).toMatchObject([{ type: 'text', messageId: answer.body.platformMessageId }]);
    await until(
      async () => ['Delivered', 'Read'].includes((await message(answer.body.messageId)).status as string),
      10_000,
      'the reply is delivered',
    );
    const { body } = await client.get(`/conversations/${conversation.id}/messages`);
    expect(body.items).toMatchObject([
      { id: answer.body.messageId, direction: 'Outbound', type: 'Text', content: { text: 'On its way 🚚' } },
      { direction: 'Inbound', type: 'Text', content: { text: 'Where is my parcel?' } },
    ]);
    expect(await listed(phone)).toMatchObject({ lastDirection: 'Outbound', lastText: 'On its way 🚚' });
  });

  it('may be a file, an answer to one message, and a reaction', async () => {
    const phone = newPhone();
    const conversation = await writes(phone);
    const { body } = await client.get(`/conversations/${conversation.id}/messages`);
    const [{ id: replyTo }] = body.items;

    await platform.configure({ strictMedia: true });
    const form = new FormData();
    form.append('file', new Blob(['%PDF-1.4\n%%EOF\n'], { type: 'application/pdf' }), 'label.pdf');
    const { mediaId } = (await client.call('POST', '/media', { form })).body;

    const file = { type: 'Document', mediaId, fileName: 'label.pdf', text: 'The label', replyTo };
    expect((await reply(conversation, file)).status).toBe(201);
    const picture = { type: 'Image', mediaUrl: 'https://files.example.com/label.png' };
    expect((await reply(conversation, picture)).status).toBe(201);
    const reaction = { type: 'Reaction', reaction: { messageId: replyTo, emoji: '👍' } };
    expect((await reply(conversation, reaction)).status).toBe(201);

    expect((await acceptedFor(phone)).map(({ type }) => type)).toEqual(['document', 'image', 'reaction']);
  });

  it('waits where the platform is too busy, and leaves by itself', async () => {
    const phone = newPhone();
    const conversation = await writes(phone);
    await platform.configure({ refuseNext: { code: 130429, count: 1 } });
    const answer = await reply(conversation, { text: 'Soon' });

    expect(answer).toMatchObject({ status: 202, body: { status: 'Queued', platformMessageId: null } });
    await until(async () => (await acceptedFor(phone)).length > 0, 10_000, 'the reply has left');
    expect(await acceptedFor(phone)).toMatchObject([{ type: 'text', callbackData: `${answer.body.messageId}.2` }]);
  });

  it('is refused for good with what the platform says, and where its window has closed', async () => {
    const conversation = await writes(newPhone());
    await platform.configure({ refuseNext: { code: 131053, count: 1 } });
    expectError(await reply(conversation, { type: 'Image', mediaId: '9' }), 422, 'media_unusable');
    await platform.configure({ refuseNext: { code: 131047, count: 1 } });
    expectError(await reply(conversation, { text: 'Too late' }), 422, 'window_closed');

    const phone = newPhone();
    const sent = await client.post('/send-template', { to: phone, templateName: 'hello_world' });
    expect(sent.status).toBe(201);
    const closed = expectError(await reply(await listed(phone), { text: 'Hello' }), 422, 'window_closed');
    expect(closed).toMatchObject({ windowExpiresAt: null });
  });

  it('never reaches who has asked for no more messages', async () => {
    const phone = newPhone();
    const conversation = await writes(phone);
    expect((await reply(conversation, { text: 'Hello' })).status).toBe(201);
    await writes(phone, 'STOP');
    await until(async () => (await listed(phone)).optedOut === true, 10_000, 'they have opted out');

    expectError(await reply(conversation, { text: 'Wait!' }), 422, 'recipient_opted_out');
    expect(await acceptedFor(phone)).toHaveLength(1);
  });
});
