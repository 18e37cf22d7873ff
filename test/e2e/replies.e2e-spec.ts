import * as operations from '../../libs/client/generated/sdk.gen';
import type { ConversationDto, MessageDto, ReplyDto } from '../../libs/client/generated/types.gen';
import { Client } from '../support/process/client';
import { expectError } from '../support/process/errors';
import { type Accepted, Platform } from '../support/process/platform';
import { type Service, startService, until } from '../support/process/service';
import { freePort } from '../support/free-port';

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

  /** A person writes; returns the conversation once it is listed. */
  async function writes(from: string, text = 'Where is my parcel?'): Promise<ConversationDto> {
    const sent = await fetch(`${platform.url}/sandbox/inbound`, {
      method: 'POST',
      body: JSON.stringify({ from, text }),
    });
    expect(sent.ok).toBe(true);
    return listed(from);
  }

  async function listed(phone: string): Promise<ConversationDto> {
    let found: ConversationDto | undefined;
    const isThere = async () => {
      for await (const one of client.messaging().conversations({ search: phone })) found = one;
      return found !== undefined;
    };
    await until(isThere, 10_000, 'the conversation is listed');
    return found!;
  }

  const reply = ({ id }: ConversationDto, body: ReplyDto) => client.messaging().reply(id, body);
  const refused = ({ id }: ConversationDto, body: ReplyDto) => client.post(`/conversations/${id}/messages`, body);
  const messagesOf = async ({ id }: ConversationDto) =>
    (await client.messaging().call(operations.listConversationMessages, { path: { conversationId: id } })).items;

  const acceptedFor = async (phone: string) =>
    ((await platform.ledger()) as Entry[]).filter(({ to }) => to.replace('+', '') === phone);

  const message = (messageId: string) => client.messaging().call(operations.getMessage, { path: { messageId } });

  it('reaches them as text, is part of the conversation, and is delivered', async () => {
    const phone = newPhone();
    const conversation = await writes(phone);
    const answer = await reply(conversation, { text: 'On its way 🚚', reference: 'ticket-1' });

    expect(answer).toEqual({
      messageId: expect.any(String),
      status: 'Sent',
      conversationId: conversation.id,
      platformMessageId: expect.stringMatching(/^wamid\./),
      createdAt: expect.any(String),
    });
    expect(await acceptedFor(phone)).toMatchObject([{ type: 'text', messageId: answer.platformMessageId }]);
    await until(
      async () => ['Delivered', 'Read'].includes((await message(answer.messageId)).status),
      10_000,
      'the reply is delivered',
    );
    const [key] = (await client.messaging().call(operations.listApiKeys, {})).items;
    const sentBy = { keyId: key!.id, keyName: key!.name };
    expect((await message(answer.messageId)).sentBy).toEqual(sentBy);
    const messages = await messagesOf(conversation);
    expect(messages).toMatchObject([
      { id: answer.messageId, direction: 'Outbound', type: 'Text', content: { text: 'On its way 🚚' }, sentBy },
      { direction: 'Inbound', type: 'Text', content: { text: 'Where is my parcel?' } },
    ]);
    expect(messages[1]).not.toHaveProperty('sentBy');
    expect(await listed(phone)).toMatchObject({ lastDirection: 'Outbound', lastText: 'On its way 🚚' });
  });

  it('ends the waiting unless it fails, also as a template, which else does not', async () => {
    const isAwaited = async (phone: string): Promise<boolean> => {
      const path = `/conversations?awaitingReply=true&search=${phone}`;
      return ((await client.get(path)).body as { items: object[] }).items.length > 0;
    };
    const [phone, unreachable] = [newPhone(), '491517730002'];
    await writes(phone);
    await client.messaging().sendTemplate({ to: phone, templateName: 'hello_world' });
    expect(await isAwaited(phone)).toBe(true);
    await client.messaging().sendTemplate({ to: phone, templateName: 'hello_world', reply: true });
    expect(await isAwaited(phone)).toBe(false);

    const conversation = await writes(unreachable);
    expect((await refused(conversation, { text: 'On its way' })).status).toBe(422);
    expect(await isAwaited(unreachable)).toBe(true);
  });

  it('may be a file, a quoted reply, and a reaction', async () => {
    const phone = newPhone();
    const conversation = await writes(phone);
    const [{ id: replyTo }] = (await messagesOf(conversation)) as [MessageDto];

    await platform.configure({ strictMedia: true });
    const label = new File(['%PDF-1.4\n%%EOF\n'], 'label.pdf', { type: 'application/pdf' });
    const { mediaId } = await client.messaging().call(operations.uploadMedia, { body: { file: label } });

    const file: ReplyDto = { type: 'Document', mediaId: mediaId!, fileName: 'label.pdf', text: 'The label', replyTo };
    expect(await reply(conversation, file)).toMatchObject({ status: 'Sent' });
    const picture: ReplyDto = { type: 'Image', mediaUrl: 'https://files.example.com/label.png' };
    expect(await reply(conversation, picture)).toMatchObject({ status: 'Sent' });
    const reaction: ReplyDto = { type: 'Reaction', reaction: { messageId: replyTo, emoji: '👍' } };
    expect(await reply(conversation, reaction)).toMatchObject({ status: 'Sent' });

    expect((await acceptedFor(phone)).map(({ type }) => type)).toEqual(['document', 'image', 'reaction']);
  });

  it('may have buttons, whose response names the reply in the history', async () => {
    const phone = newPhone();
    const conversation = await writes(phone);
    const interactive = { buttons: [{ id: 'friday-yes', title: 'Yes' }], footer: 'Acme' };
    const { platformMessageId } = await reply(conversation, { type: 'Interactive', text: 'Friday?', interactive });
    const pressed = { type: 'button_reply', button_reply: { id: 'friday-yes', title: 'Yes' } };
    await fetch(`${platform.url}/sandbox/inbound`, {
      method: 'POST',
      body: JSON.stringify({
        ...{ from: phone, type: 'interactive', content: pressed, contextMessageId: platformMessageId },
      }),
    });
    await until(async () => (await messagesOf(conversation)).length === 3, 10_000, 'the answer is listed');

    expect(await messagesOf(conversation)).toMatchObject([
      {
        ...{ direction: 'Inbound', type: 'Interactive', renderedText: 'Yes' },
        content: { choice: { id: 'friday-yes' }, replyTo: platformMessageId },
      },
      { direction: 'Outbound', type: 'Interactive', content: { text: 'Friday?', interactive } },
      { direction: 'Inbound', type: 'Text' },
    ]);
  });

  it('waits if the platform is too busy, and is sent automatically', async () => {
    const phone = newPhone();
    const conversation = await writes(phone);
    await platform.configure({ refuseNext: { code: 130429, count: 1 } });
    const answer = await reply(conversation, { text: 'Soon' });

    expect(answer).toMatchObject({ status: 'Queued', platformMessageId: null });
    await until(async () => (await acceptedFor(phone)).length > 0, 10_000, 'the reply is sent');
    expect(await acceptedFor(phone)).toMatchObject([{ type: 'text', callbackData: `${answer.messageId}.2` }]);
  });

  it('is rejected permanently with the error of the platform, and after its window has closed', async () => {
    const conversation = await writes(newPhone());
    await platform.configure({ refuseNext: { code: 131053, count: 1 } });
    expectError(await refused(conversation, { type: 'Image', mediaId: '9' }), 422, 'media_unusable');
    await platform.configure({ refuseNext: { code: 131047, count: 1 } });
    expectError(await refused(conversation, { text: 'Too late' }), 422, 'window_closed');

    const phone = newPhone();
    await client.messaging().sendTemplate({ to: phone, templateName: 'hello_world' });
    const closed = expectError(await refused(await listed(phone), { text: 'Hello' }), 422, 'window_closed');
    expect(closed).toMatchObject({ windowExpiresAt: null });
  });

  it('never reaches people who have opted out, unless it is to answer what they wrote since', async () => {
    const phone = newPhone();
    const conversation = await writes(phone);
    expect(await reply(conversation, { text: 'Hello' })).toMatchObject({ status: 'Sent' });
    await writes(phone, 'STOP');
    await until(async () => (await listed(phone)).optedOut === true, 10_000, 'they have opted out');

    const answer = { text: 'It arrives today', despiteOptOut: true };
    for (const body of [{ text: 'Wait!' }, answer])
      expectError(await refused(conversation, body), 422, 'recipient_opted_out');
    expect(await acceptedFor(phone)).toHaveLength(1);

    await writes(phone, 'Where is my parcel?');
    const wroteSince = async () => {
      const { body } = await client.get(`/conversations/${conversation.id}?optOut=true`);
      return body.wroteSinceOptOut === true;
    };
    await until(wroteSince, 10_000, 'they have written since');
    const { text } = answer;
    for (const body of [{ text }, { text, despiteOptOut: false }])
      expectError(await refused(conversation, body), 422, 'recipient_opted_out');
    const unclear = { ...answer, despiteOptOut: 'yes' } as object;
    expectError(await refused(conversation, unclear), 400, 'validation_failed');
    expect(await reply(conversation, answer)).toMatchObject({ status: 'Sent' });
    expect(await acceptedFor(phone)).toHaveLength(2);
    const template = { to: phone, templateName: 'hello_world' };
    expectError(await client.post('/send-template', template), 422, 'recipient_opted_out');
  });
});
