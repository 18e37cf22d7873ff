import { Client, type Json } from '../support/process/client';
import { figuresOf } from '../support/process/figures';
import { Platform } from '../support/process/platform';
import { newStore, type Service, startService, type Store, until } from '../support/process/service';
import { freePort } from '../support/free-port';

describe('Messages and notices from the platform', () => {
  let platform: Platform;
  let store: Store;
  let service: Service;
  let client: Client;
  let url: string;
  let next = 491_700_000_000;

  beforeAll(async () => {
    platform = await Platform.start();
    store = await newStore();
    url = `http://127.0.0.1:${await freePort()}/`;
    await start();
    await platform.subscribed();
  });

  afterAll(async () => {
    await service?.stop();
    await store?.drop();
    await platform?.close();
  });

  async function start(): Promise<void> {
    const env = { PORT: new URL(url).port, PUBLIC_URL: url };
    service = await startService({ store, platformUrl: platform.url, env });
    client = new Client(service);
  }

  const newPhone = () => String((next += 1));
  const tell = async (path: string, body: object): Promise<void> => {
    const answer = await fetch(`${platform.url}/sandbox/${path}`, { method: 'POST', body: JSON.stringify(body) });
    expect(answer.status).toBe(200);
  };
  const listed = async (phone: string): Promise<Json> =>
    (await client.get(`/conversations?search=${phone}`)).body.items[0];
  const messagesOf = async (phone: string): Promise<Json> => {
    const conversation = await listed(phone);
    return conversation ? (await client.get(`/conversations/${conversation.id}/messages?limit=200`)).body.items : [];
  };
  const counted = async (result: string) =>
    (await figuresOf(service)).get(`messaging_webhook_updates_total{result="${result}"}`) ?? 0;

  it('is in one conversation, for every kind of message', async () => {
    const from = newPhone();
    const kinds: [string, object, string, object][] = [
      ['text', { body: 'Hello' }, 'Text', { text: 'Hello' }],
      ['image', { id: '1001', mime_type: 'image/jpeg', caption: 'broken' }, 'Image', { text: 'broken' }],
      ['audio', { id: '1002', mime_type: 'audio/ogg', voice: true }, 'Audio', { media: { voice: true } }],
      ['video', { id: '1003', mime_type: 'video/mp4' }, 'Video', { media: { mediaId: '1003' } }],
      ['document', { id: '1004', filename: 'bill.pdf' }, 'Document', { media: { fileName: 'bill.pdf' } }],
      ['sticker', { id: '1005', animated: true }, 'Sticker', { media: { animated: true } }],
      ['location', { latitude: 52.5, longitude: 13.4 }, 'Location', { location: { latitude: 52.5 } }],
      ['contacts', [{ name: { formatted_name: 'Jo' } }], 'Contacts', { contacts: [{ name: 'Jo' }] }],
      ['button', { text: 'Stop', payload: 'P' }, 'Button', { text: 'Stop', choice: { id: 'P' } }],
      [
        'interactive',
        { type: 'button_reply', button_reply: { id: 'yes', title: 'Yes' } },
        'Interactive',
        { text: 'Yes', choice: { id: 'yes' } },
      ],
      ['reaction', { message_id: 'wamid.x', emoji: '👍' }, 'Reaction', { reaction: { emoji: '👍' } }],
      ['order', { catalog_id: '5', product_items: [] }, 'Order', { order: { catalogId: '5' } }],
      ['unsupported', { type: 'poll' }, 'Unsupported', { kind: 'poll' }],
      ['hologram', { caption: 'Look' }, 'Other', { kind: 'hologram', text: 'Look' }],
    ];
    for (const [type, content] of kinds)
      await tell('inbound', { from, type, content, name: 'Jo Li', username: '@jo.li' });
    await until(async () => (await messagesOf(from)).length === kinds.length, 10_000, 'all messages are listed');

    const messages = await messagesOf(from);
    for (const [, , type, content] of kinds) {
      const message = (messages as Json[]).find((one) => one.type === type);
      expect(message).toMatchObject({ direction: 'Inbound', status: 'Received', contactPhone: from, content });
    }
    expect(await listed(from)).toMatchObject({
      contactName: 'Jo Li',
      username: '@jo.li',
      lastDirection: 'Inbound',
      unreadCount: kinds.length - 1,
      optedOut: false,
      windowExpiresAt: expect.any(String),
    });
    expect((await client.get(`/contacts?phone=${from}`)).body.items).toMatchObject([
      { phone: from, name: 'Jo Li', username: '@jo.li' },
    ]);
  });

  it('is recorded once and durably, even if the service is killed meanwhile', async () => {
    const people = Array.from({ length: 12 }, newPhone);
    await platform.configure({ webhookRetryMs: 200 });
    await Promise.all(people.map((from) => tell('inbound', { from, text: 'Hello' })));
    await service.kill();
    await Promise.all(people.map((from) => tell('inbound', { from, text: 'Hello again' })));
    await start();

    const isTwice = async (from: string) => (await listed(from))?.unreadCount === 2;
    const bothRecorded = async () => (await Promise.all(people.map(isTwice))).every((twice) => twice);
    await until(bothRecorded, 20_000, 'everybody wrote twice');
  });

  it('opts a person out and in again by keyword', async () => {
    const from = newPhone();
    const send = () =>
      client.post('/send-template', {
        to: from,
        templateName: 'hello_world',
        languageCode: 'en_US',
        templateParameters: [],
      });
    await tell('inbound', { from, text: 'Stop' });
    await until(async () => (await listed(from))?.optedOut === true, 10_000, 'the person is opted out');
    expect((await send()).body).toMatchObject({ code: 'recipient_opted_out' });

    // Times are whole seconds; within one second STOP takes precedence.
    await new Promise((done) => setTimeout(done, 1100));
    await tell('inbound', { from, text: 'START' });
    await until(async () => (await listed(from))?.optedOut === false, 10_000, 'the person is opted in');
    expect((await send()).status).toBe(201);
  });

  it('changes a template, and the limits of the sender, within seconds', async () => {
    const templates = async (): Promise<Json> => (await client.get('/templates?search=order_update')).body.items;
    await until(async () => (await templates()).length === 1, 10_000, 'the templates are available');
    await tell('templates', { name: 'order_update', status: 'PAUSED' });
    await tell('templates', { name: 'order_update', quality: 'RED' });
    await until(
      async () => {
        const [template] = await templates();
        return template?.status === 'Paused' && template.qualityRating === 'Red';
      },
      10_000,
      'the template is paused and red',
    );
  });

  it('is stored and counted if it has no effect, and logged if it needs attention', async () => {
    const ignored = await counted('ignored');
    await tell('webhooks', { field: 'phone_number_name_update', value: { decision: 'APPROVED' } });
    await tell('webhooks', {
      field: 'account_update',
      value: { event: 'ACCOUNT_RESTRICTION', phone: '4915112345678' },
    });
    await until(async () => (await counted('ignored')) === ignored + 2, 10_000, 'both are counted');
    await until(
      () => Promise.resolve(service.log.some((line) => line.includes('account_update ACCOUNT_RESTRICTION'))),
      10_000,
      'the restriction is in the log',
    );

    expect(service.log.join('\n')).not.toContain('4915112345678');
    expect(await counted('parked')).toBe(0);
  });
});
