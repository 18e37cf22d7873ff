import { Client, type Json } from '../support/process/client';
import { type Accepted, Platform } from '../support/process/platform';
import { type Service, startService, until } from '../support/process/service';
import { fileOf } from '../support/process/bulk';
import { inboundOf, postWebhook, reportOf, statusOf } from '../support/process/webhook';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const texts = (...values: string[]) => values.map((text) => ({ text }));

describe('A template message to one recipient', () => {
  let platform: Platform;
  let service: Service;
  let client: Client;
  let nextPhone = 4915112340100;

  beforeAll(async () => {
    platform = await Platform.start({ requireAppSecretProof: true });
    service = await startService({ platformUrl: platform.url });
    client = new Client(service);
  });

  afterAll(async () => {
    await service?.stop();
    await service?.store.drop();
    await platform?.close();
  });

  /** Sends to a number used nowhere else in this file; returns the response and what the platform accepted. */
  async function send(fields: Record<string, unknown>): Promise<{ body: Json; accepted: Accepted }> {
    const to = String((nextPhone += 10));
    const answer = await client.post('/send-template', { to, ...fields });
    expect(answer).toMatchObject({ status: 201, body: { status: 'Sent', to } });
    const accepted = (await platform.ledger()).filter((entry) => entry.to.replace('+', '') === to);
    expect(accepted).toHaveLength(1);
    return { body: answer.body, accepted: accepted[0]! };
  }

  it('returns 201 with its id, its state and the id of the platform', async () => {
    const before = Date.now();
    const answer = await client.post('/send-template', {
      to: '4915112345678',
      templateName: 'order_update',
      languageCode: 'en_US',
      templateParameters: texts('Mira', 'PK-7731'),
    });

    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      messageId: expect.stringMatching(UUID_V7),
      status: 'Sent',
      to: '4915112345678',
      templateName: 'order_update',
      languageCode: 'en_US',
      platformMessageId: expect.stringMatching(/^wamid\./),
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    const age = Date.parse(answer.body.createdAt as string) - before;
    expect(age).toBeGreaterThan(-2000);
    expect(age).toBeLessThan(10_000);
  });

  it("stores the key that sent it (for a job, the job's), and the access log names key, client and message", async () => {
    const [key] = (await client.get('/api-keys')).body.items as Json[];
    const sentBy = { keyId: key!.id, keyName: key!.name };
    const { body } = await send({ templateName: 'hello_world' });
    const shown = async (id: unknown): Promise<Json> => (await client.get(`/messages/${String(id)}`)).body;
    expect(await shown(body.messageId)).toMatchObject({ jobId: null, sentBy });
    const refused = await client.post('/send-template', { to: '491511230002', templateName: 'hello_world' });
    const rows = [['phone'], [String((nextPhone += 10))]];
    const { jobId } = (await client.upload(fileOf('csv', rows), { templateName: 'hello_world' })).body;
    const ofJob = async (): Promise<Json[]> =>
      (await client.get(`/messages?jobId=${String(jobId)}`)).body.items as Json[];
    await until(async () => (await ofJob()).length === 1, 20_000, 'the job has sent');
    const [inJob] = await ofJob();
    expect(await shown(inJob!.id)).toMatchObject({ jobId, sentBy });
    const listed = await client.get(`/conversations/${String(inJob!.conversationId)}/messages`);
    expect(listed.body.items).toMatchObject([{ id: inJob!.id, sentBy }]);

    const lines = () => service.log.map((line) => JSON.parse(line) as Record<string, unknown>);
    const lineOf = (id: unknown) => lines().find(({ messageId }) => messageId === id);
    for (const { messageId } of [body, refused.body]) {
      await until(() => Promise.resolve(lineOf(messageId) !== undefined), 5000, 'the request is logged');
      expect(lineOf(messageId)).toMatchObject({ address: '127.0.0.1', keyPrefix: key!.prefix });
    }
    expect(refused.body).toMatchObject({ code: expect.any(String), messageId: expect.stringMatching(UUID_V7) });
  });

  it('has a sender that shows its current limits, and the time of the last report', async () => {
    const sender = async (): Promise<Json[]> => (await client.get('/senders')).body.items as Json[];
    expect(await sender()).toEqual([
      {
        displayPhoneNumber: '+49 30 900000001',
        phoneNumberId: expect.any(String) as string,
        messagesPerSecond: expect.any(Number) as number,
        rateNow: (await sender())[0]!.messagesPerSecond,
        ...{ messagingTier: 'Unlimited', tierUsed: null, roomAt: null, qualityRating: 'Green', lastWebhookAt: null },
        missingSubscriptions: [],
        problem: null,
      },
    ]);
    const { accepted } = await send({
      templateName: 'order_update',
      languageCode: 'en_US',
      templateParameters: texts('Mira', 'PK-7731'),
    });
    const before = Date.now();
    expect((await postWebhook(service, reportOf([statusOf(accepted, 'delivered')]))).status).toBe(200);
    const at = Date.parse((await sender())[0]!.lastWebhookAt as string);
    expect(Math.abs(at - before)).toBeLessThan(10_000);
  });

  it('reaches the platform with the values in the order of the placeholders', async () => {
    const { body, accepted } = await send({
      templateName: 'delivery_window',
      templateParameters: texts('Zoë', 'PK "7" & <9>', '東京 🚚'),
    });

    expect(accepted).toMatchObject({
      messageId: body.platformMessageId,
      template: 'delivery_window',
      language: 'en_US',
      parameters: ['Zoë', 'PK "7" & <9>', '東京 🚚'],
    });
  });

  it('shows that the platform holds it, in jobs too, and its price after delivery', async () => {
    await platform.configure({ faults: { held: 1 } });
    const { body, accepted } = await send({ templateName: 'hello_world' });
    const to = String((nextPhone += 10));
    const imported = await client.upload(fileOf('csv', [['phone'], [to]]), { templateName: 'hello_world' });
    const shown = async (): Promise<Json> => (await client.get(`/messages/${body.messageId}`)).body;
    const ofJob = async (): Promise<Json[]> =>
      (await client.get(`/messages?jobId=${imported.body.jobId}`)).body.items as Json[];
    await until(async () => (await ofJob())[0]?.status === 'Sent', 20_000, 'the job has sent');
    await platform.configure({ faults: { held: 0 } });
    const usual = (await client.get(`/messages/${(await send({ templateName: 'hello_world' })).body.messageId}`)).body;

    expect(await shown()).toMatchObject({ status: 'Sent', acceptance: 'HeldForQualityAssessment', pricing: null });
    expect((await ofJob())[0]).toMatchObject({ acceptance: 'HeldForQualityAssessment' });
    expect(usual).toMatchObject({ acceptance: null });
    const pricing = { billable: false, pricing_model: 'PMP', category: 'utility', type: 'free_customer_service' };
    const status = { ...statusOf(accepted, 'delivered'), pricing };
    expect((await postWebhook(service, reportOf([status]))).status).toBe(200);
    expect(await shown()).toMatchObject({
      ...{ status: 'Delivered', acceptance: 'HeldForQualityAssessment' },
      pricing: { billable: false, category: 'utility', type: 'free_customer_service' },
    });
  });

  it('carries the id of the message, so that later reports find it', async () => {
    const { body, accepted } = await send({ templateName: 'hello_world' });

    expect(accepted.callbackData).toBe(`${body.messageId}.1`);
  });

  it('is in en_US unless the request names another language', async () => {
    const standard = await send({ templateName: 'appointment_reminder', templateParameters: texts('Mira', '9:30') });
    const german = await send({
      templateName: 'appointment_reminder',
      languageCode: 'de',
      templateParameters: texts('Mira', '9:30'),
    });

    expect([standard.body.languageCode, standard.accepted.template]).toEqual(['en_US', 'appointment_reminder']);
    expect([german.body.languageCode, german.accepted.parameters]).toEqual(['de', ['Mira', '9:30']]);
    expect([standard.accepted, german.accepted]).toMatchObject([{ language: 'en_US' }, { language: 'de' }]);
  });

  const PLACE = { latitude: 52.520008, longitude: 13.404954, name: 'Parcel shop', address: 'Alexanderplatz 1' };

  it('shows a place in its header, also in the history', async () => {
    const { body, accepted } = await send({
      ...{ templateName: 'shop_visit', templateParameters: texts('PK-1'), headerLocation: PLACE },
    });
    expect(accepted.header).toEqual({ type: 'location', ...PLACE });
    expect((await client.get(`/messages/${body.messageId}`)).body.content).toEqual({ location: PLACE });
  });

  it('names the requirements of a location header, and rejects misplaced places and payloads', async () => {
    const headerLocation = PLACE;
    const order = (fields: object) => ({ to: '4915112345679', ...fields });
    const shop = { templateName: 'shop_visit', templateParameters: texts('PK-1') };
    const plain = { templateName: 'hello_world', templateParameters: [] };
    const answers = await Promise.all([
      client.post('/send-template', order(shop)),
      client.post('/send-template', order({ ...plain, headerLocation })),
      client.post('/send-template', order({ ...plain, quickReplyPayloads: { '0': 'yes' } })),
      client.post('/send-template', order({ ...shop, headerLocation: { ...headerLocation, latitude: 'north' } })),
      client.post('/send-template', order({ ...shop, headerLocation, quickReplyPayloads: { yes: '0' } })),
    ]);
    expect(answers.map(({ status, body }) => [status, (body as { code: string }).code])).toEqual([
      [422, 'template_not_supported'],
      [422, 'media_mismatch'],
      [422, 'parameter_mismatch'],
      [400, 'validation_failed'],
      [400, 'validation_failed'],
    ]);
  });

  it("has quick-reply buttons with the client's payloads", async () => {
    const media = { headerMediaUrl: 'https://cdn.example.com/a.png' };
    const sale = { templateName: 'summer_sale', templateParameters: texts('Mira'), ...media };
    expect((await send(sale)).accepted).not.toHaveProperty('payloads');
    const { body, accepted } = await send({ ...sale, quickReplyPayloads: { '0': 'show-4711' } });
    expect(accepted.payloads).toEqual({ '0': 'show-4711' });

    const context = { id: accepted.messageId };
    const button = { text: 'Show me', payload: accepted.payloads!['0'] };
    const webhook = inboundOf(body.to as string, { type: 'button', button, context });
    expect((await postWebhook(service, webhook)).status).toBe(200);
    const choice = { text: 'Show me', choice: { id: 'show-4711' }, replyTo: accepted.messageId };
    const { conversationId, content } = (await client.get(`/messages/${body.messageId}`)).body;
    const { items } = (await client.get(`/conversations/${conversationId}/messages?direction=Inbound`)).body;
    expect(items).toMatchObject([{ type: 'Button', content: choice }]);
    expect(content).toMatchObject({ quickReplyPayloads: { '0': 'show-4711' } });
  });

  it('goes to everyone in a file and a group with the same place and payloads', async () => {
    const [one, two] = [String((nextPhone += 10)), String((nextPhone += 10))];
    const rows = [
      ['phone', 'order'],
      [one, 'PK-1'],
    ];
    const imported = await client.upload(fileOf('csv', rows), {
      ...{ templateName: 'shop_visit', headerLocation: JSON.stringify(PLACE) },
    });
    expect(imported).toMatchObject({ status: 202, body: { totalRecipients: 1 } });
    const group = (await client.post('/groups', { name: `Group ${two}` })).body;
    await client.post(`/groups/${group.id}/contacts`, { contacts: [{ phone: two, parameters: { '1': 'Mira' } }] });
    const sent = await client.post('/send-template-to-group', {
      ...{ groupId: group.id, templateName: 'summer_sale', headerMediaUrl: 'https://cdn.example.com/a.png' },
      quickReplyPayloads: { '1': 'stop-sale' },
    });
    expect(sent.status).toBe(202);
    const accepted = async () =>
      (await platform.ledger()).filter(({ to }) => [one, two].includes(to)).sort((a, b) => (a.to < b.to ? -1 : 1));
    await until(async () => (await accepted()).length === 2, 20_000, 'both jobs have sent');
    expect(await accepted()).toMatchObject([
      { template: 'shop_visit', parameters: ['PK-1'], header: { type: 'location', ...PLACE } },
      { template: 'summer_sale', parameters: ['Mira'], payloads: { '1': 'stop-sale' } },
    ]);
  });

  it('of a marketing template uses the Marketing Messages API if its account enables it, in jobs too', async () => {
    const { id } = (await client.get('/me')).body.account as { id: string };
    const throughMarketingApi = (marketingMessagesApi: boolean) =>
      client.call('PATCH', `/accounts/${id}`, { body: { sender: { marketingMessagesApi } } });
    const coupon = { templateName: 'winter_coupon', templateParameters: texts('Mira', 'WINTER20') };
    const [one, two] = [String((nextPhone += 10)), String((nextPhone += 10))];
    await platform.configure({ marketingApiOnly: true });
    expect(await client.post('/send-template', { to: one, ...coupon })).toMatchObject({
      status: 422,
      body: { code: 'marketing_disabled', platformCode: 131063 },
    });

    expect(await throughMarketingApi(true)).toMatchObject({
      status: 200,
      body: { sender: { marketingMessagesApi: true } },
    });
    await send(coupon);
    await send({ templateName: 'hello_world' });
    const rows = [
      ['phone', 'name', 'code'],
      [two, 'Mira', 'W'],
    ];
    const imported = await client.upload(fileOf('csv', rows), { templateName: 'winter_coupon' });
    expect(imported).toMatchObject({ status: 202, body: { totalRecipients: 1 } });
    const accepted = async () => (await platform.ledger()).filter(({ to }) => to === two);
    await until(async () => (await accepted()).length === 1, 20_000, 'the job has sent');
    await throughMarketingApi(false);
    await platform.configure({ marketingApiOnly: false });
  });

  it.each([
    ['an image by its id', 'summer_sale', ['Mira'], { headerMediaId: '900000000000011' }, 'image'],
    [
      'an image by its URL',
      'summer_sale',
      ['Mira'],
      { headerMediaUrl: 'https://cdn.example.com/a.png?x=1&y=2' },
      'image',
    ],
    ['a video', 'product_video', [], { headerMediaUrl: 'https://cdn.example.com/a.mp4' }, 'video'],
    ['a document', 'invoice_ready', ['Mira', 'INV-7'], { headerMediaId: '900000000000012' }, 'document'],
    [
      'a document with a name',
      'invoice_ready',
      ['Mira', 'INV-7'],
      { headerMediaId: '900000000000012', headerMediaFileName: 'INV 7.pdf' },
      'document',
    ],
  ])('shows %s in its header', async (_, templateName, values, media, type) => {
    const { accepted } = await send({ templateName, templateParameters: texts(...values), ...media });

    const { headerMediaId: id, headerMediaUrl: link, headerMediaFileName: filename } = media as Record<string, string>;
    const named = filename !== undefined && { filename };
    expect(accepted.header).toEqual({ type, ...(id === undefined ? { link } : { id }), ...named });
    expect(accepted.parameters).toEqual(values);
  });

  it.each([
    ['header text, body and URL button', 'parcel_tracking', ['PK-1', 'Mira', 'Berlin', 'PK-1/track']],
    ['a body with named variables', 'appointment_note', ['Mira', '09:30']],
    ['a coupon code button', 'winter_coupon', ['Mira', 'WINTER20']],
    ['a one-time password, given once and filled in twice', 'login_code', ['481516']],
  ])('fills the one list of values into %s', async (_, templateName, values) => {
    const { accepted } = await send({ templateName, templateParameters: texts(...values) });

    expect(accepted.parameters).toEqual(values);
  });

  it.each([
    ['no templateParameters', {}],
    ['empty templateParameters', { templateParameters: [] }],
    ['null for optional fields', { templateParameters: null, languageCode: null, headerMediaId: null }],
  ])('needs no values if the template has none: %s', async (_, fields) => {
    const { accepted } = await send({ templateName: 'hello_world', ...fields });

    expect(accepted.parameters).toEqual([]);
  });

  it('accepts a reference of up to 255 characters and a validity of up to 30 days', async () => {
    await send({ templateName: 'hello_world', reference: 'r'.repeat(255), validForSeconds: 2_592_000 });
    await send({ templateName: 'hello_world', reference: 'ü', validForSeconds: 1 });
  });

  it.each([
    ['with a charset', 'application/json; charset=utf-8'],
    ['in capital letters', 'Application/JSON'],
  ])('is read from a body with the content type %s', async (_, contentType) => {
    const answer = await client.post(
      '/send-template',
      { to: String((nextPhone += 10)), templateName: 'hello_world' },
      { headers: { 'content-type': contentType } },
    );

    expect(answer.status).toBe(201);
  });

  it('may be repeated without a key: each request sends a message', async () => {
    const request = { to: String((nextPhone += 10)), templateName: 'hello_world' };
    const answers = await Promise.all([client.post('/send-template', request), client.post('/send-template', request)]);

    expect(new Set(answers.map(({ body }) => body.messageId as string)).size).toBe(2);
    expect((await platform.accepted()).filter((to) => to.endsWith(request.to))).toHaveLength(2);
  });
});
