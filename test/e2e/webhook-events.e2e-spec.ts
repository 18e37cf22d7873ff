import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { Webhook } from 'standardwebhooks';
import * as operations from '../../libs/client/generated/sdk.gen';
import { EVENT_TYPES } from '../../src/modules/events/domain/event';
import { control, detailOf, ended, phones, sendTo } from '../support/process/bulk';
import { Client } from '../support/process/client';
import { Platform } from '../support/process/platform';
import { type Service, startService, until } from '../support/process/service';
import { freePort } from '../support/free-port';
import { WebhookReceiver } from '../support/webhook-receiver';

interface Told {
  type: string;
  data: Record<string, unknown>;
}

interface WebhookDocument {
  webhooks: Record<string, { post: { requestBody: { content: Record<string, { example: Told }> } } }>;
}

const TIER = 250;
const PATIENCE_MS = 20_000;

describe('Events at the server of a client', () => {
  let platform: Platform;
  let service: Service;
  let client: Client;
  let receiver: WebhookReceiver;
  let secret: string;

  beforeAll(async () => {
    platform = await Platform.start();
    receiver = await new WebhookReceiver().start();
    const port = await freePort();
    const address = { PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` };
    const env = { ...address, MESSAGING_TIER: String(TIER), WEBHOOK_ALLOW_PRIVATE: 'true' };
    service = await startService({ platformUrl: platform.url, env });
    client = new Client(service);
    const body = { url: receiver.url, events: [...EVENT_TYPES] };
    ({ secret } = await client.messaging().call(operations.createWebhookEndpoint, { body }));
  });

  afterAll(async () => {
    await service?.stop();
    await service?.store.drop();
    await platform?.close();
    await receiver?.close();
  });

  const told = () => receiver.received.map(({ body }) => JSON.parse(body) as Told);
  const arrives = (type: string, fields: object = {}) => {
    const isIt = (event: Told) =>
      event.type === type && Object.entries(fields).every(([name, value]) => event.data[name] === value);
    return until(() => Promise.resolve(told().some(isIt)), PATIENCE_MS, `${type} ${JSON.stringify(fields)} arrives`);
  };
  const tell = async (path: string, body: object): Promise<void> => {
    const answer = await fetch(`${platform.url}/sandbox/${path}`, { method: 'POST', body: JSON.stringify(body) });
    expect(answer.status).toBe(200);
  };
  const send = (to: string, reference = 'order-1') =>
    client.messaging().sendTemplate({ to, templateName: 'hello_world', reference });

  it('tell of single messages what the platform answers and what it reports later', async () => {
    const sent = await Promise.all(phones(6, 100).map((to) => send(to)));
    expect(sent.map(({ status }) => status)).toEqual(Array(6).fill('Sent'));
    const { messageId } = sent[0]!;
    await arrives('message.sent', { messageId, reference: 'order-1', jobId: null, rowNumber: null, errorCode: null });
    await arrives('message.delivered', { messageId, reference: 'order-1' });
    await arrives('message.read');
    await expect(send('4915199990002')).rejects.toMatchObject({ statusCode: 422 });
    await arrives('message.failed', { phone: '4915199990002', platformCode: 131026, status: 'Failed' });
    await send('4915199990003');
    await arrives('message.undelivered', { phone: '4915199990003', platformCode: 131026, status: 'Undelivered' });
  });

  it('tell what people write and whether they want messages', async () => {
    const [from] = phones(1, 200) as [string];
    await tell('inbound', { from, text: 'STOP' });
    await arrives('message.received', { phone: from, type: 'Text', text: 'STOP' });
    await arrives('contact.opted_out', { phone: from, scope: 'All', source: 'Keyword' });
    await tell('inbound', { from, text: 'START' });
    await arrives('contact.opted_in', { phone: from, source: 'Keyword' });
    const [other] = phones(1, 201) as [string];
    await client.messaging().call(operations.addOptOut, { body: { phone: other } });
    await arrives('contact.opted_out', { phone: other, source: 'Api' });
    await client.messaging().call(operations.removeOptOut, { path: { phone: other } });
    await arrives('contact.opted_in', { phone: other, source: 'Api' });
  });

  it('name the pressed button and the message it belongs to', async () => {
    const [from] = phones(1, 210) as [string];
    const { messageId, platformMessageId } = await send(from, 'order-2');
    const content = { payload: 'confirm-4711', text: 'Confirm' };
    await tell('inbound', { from, type: 'button', content, contextMessageId: platformMessageId });
    await arrives('message.received', { phone: from, type: 'Button', buttonPayload: 'confirm-4711' });
    const pressed = told().find(({ type, data }) => type === 'message.received' && data.phone === from);
    expect(pressed!.data).toMatchObject({ text: 'Confirm', replyTo: { messageId, reference: 'order-2' } });
  });

  it('tell the way of jobs, and of each message its row', async () => {
    const done = await sendTo(client, phones(5, 300), { reference: 'spring' });
    await ended(client, done);
    await arrives('job.started', { jobId: done, reference: 'spring' });
    await arrives('job.completed', { jobId: done, successfullySent: 5, totalRecipients: 5 });
    await arrives('message.sent', { jobId: done, reference: 'spring', rowNumber: 2 });
    const large = await sendTo(client, phones(TIER + 10, 400));
    await arrives('job.throttled', { jobId: large });
    for (const action of ['pause', 'resume', 'cancel'] as const) await control(client, action, large);
    await arrives('job.paused', { jobId: large });
    await arrives('job.cancelled', { jobId: large });
    const failing = await sendTo(client, phones(20, 800));
    await until(
      async () => (await detailOf(client, failing)).throttled !== null,
      PATIENCE_MS,
      'the messaging tier holds it',
    );
    await tell('templates', { name: 'hello_world', status: 'DISABLED' });
    await arrives('template.status_changed', {
      templateName: 'hello_world',
      status: 'Disabled',
      previousStatus: 'Approved',
    });
    await arrives('job.failed', { jobId: failing });
  });

  it('are of every type by now, signed, each as the API document describes it', async () => {
    expect([...new Set(told().map(({ type }) => type))].sort()).toEqual([...EVENT_TYPES].sort());
    const webhook = new Webhook(secret);
    for (const { body, headers } of receiver.received) expect(webhook.verify(body, headers)).toEqual(JSON.parse(body));
    const document = (await (await fetch(`${service.url}/docs-json`)).json()) as WebhookDocument;
    const ajv = addFormats(new Ajv2020({ strict: false })).addSchema(document, 'api');
    for (const type of EVENT_TYPES) {
      const { example } = document.webhooks[type]!.post.requestBody.content['application/json']!;
      const path = `webhooks/${type}/post/requestBody/content/application~1json/schema`;
      const check = ajv.compile({ $ref: `api#/${path}` });
      for (const event of [example, ...told().filter((one) => one.type === type)]) {
        check(event);
        expect([event, check.errors]).toEqual([event, null]);
        // No fields beyond the schema.
        expect(Object.keys(event.data).sort()).toEqual(Object.keys(example.data).sort());
      }
    }
  });
});
