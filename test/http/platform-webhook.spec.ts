import { type AddressInfo, connect } from 'node:net';
import request from 'supertest';
import type { Database } from '../../src/infra/database/database';
import { FailedAttempts } from '../../src/infra/http/limits/failed-attempts';
import { StatusReports } from '../../src/modules/platform-webhook/domain/status-reports';
import type { RecipientRow } from '../fakes/engine-rows';
import { describeOnDatabase } from '../support/databases';
import { SqlSendingTables } from '../support/sending-tables';
import { SECRET, sign, startWebhook, type WebhookApp } from '../support/webhook-app';

const NUMBER = '109876543210001';
const PATH = '/webhooks/platform';
const MEGABYTE = 1024 * 1024;

describeOnDatabase('The webhook of the platform', (open) => {
  let database: Database;
  let tables: SqlSendingTables;
  let webhook: WebhookApp;
  let others: { businessAccountId: string; appSecret: string }[] = [];
  let failure: ((platformMessageId: string) => Error | null) | null = null;

  beforeAll(async () => {
    database = await open();
    const sender = () => ({
      id: tables.senderId,
      accountId: tables.accountId,
      phoneNumberId: NUMBER,
      businessAccountId: '2',
      appSecret: SECRET,
    });
    webhook = await startWebhook(database, () => [sender(), ...others]);
    const statuses = webhook.parts.get(StatusReports);
    const apply = statuses.apply.bind(statuses);
    statuses.apply = (updates) => {
      const error = updates.map(({ platformMessageId }) => failure?.(platformMessageId)).find((one) => one);
      return error ? Promise.reject(error) : apply(updates);
    };
  });

  beforeEach(async () => {
    failure = null;
    others = [];
    webhook.parts.get(FailedAttempts).forgive('signature', '127.0.0.1');
    tables = new SqlSendingTables(database);
    await tables.addSender();
    await database.execute('DELETE FROM parked_updates');
  });

  afterAll(() => webhook.close());

  const post = (body: string, signature?: string | null) => webhook.post(body, signature);
  const bodyOf = (...statuses: object[]) =>
    JSON.stringify({
      object: 'whatsapp_business_account',
      entry: [
        {
          id: '2',
          changes: [
            {
              field: 'messages',
              value: { messaging_product: 'whatsapp', metadata: { phone_number_id: NUMBER }, statuses },
            },
          ],
        },
      ],
    });
  const statusOf = ({ messageId, jobId, position }: RecipientRow, status = 'delivered') => ({
    id: `wamid.${messageId}`,
    status,
    timestamp: String(Math.floor(Date.now() / 1000)),
    biz_opaque_callback_data: `${messageId}.1.${jobId}.${position}`,
  });
  const parked = () => database.rows<{ reason: string; body: string }>('SELECT reason, body FROM parked_updates');
  const recipientsInFlight = async (count: number) => {
    const jobId = await tables.addJob(count, { status: 'Processing', cursor: count + 1 });
    return tables.recipients(jobId);
  };
  const outcomesOf = async (jobId: string) => (await tables.recipients(jobId)).map(({ outcome }) => outcome);
  const statusesOf = async (jobId: string) =>
    (
      await database.rows<{ status: string }>('SELECT status FROM messages WHERE job_id = $1 ORDER BY row_number', [
        jobId,
      ])
    ).map(({ status }) => status);

  it('accepts a report next to many slow unsigned bodies, of which the oldest are dropped', async () => {
    const { port } = webhook.app.getHttpServer().address() as AddressInfo;
    const slow = Array.from({ length: 20 }, () => {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      socket.write(`POST ${PATH} HTTP/1.1\r\nHost: a\r\nContent-Length: ${4 * MEGABYTE}\r\n\r\n`);
      return socket;
    });
    try {
      const refused = new Promise<string>((resolve) => slow[0]!.once('data', (answer) => resolve(String(answer))));
      // Each in turn, so that the first one is the oldest.
      for (const socket of slow) await new Promise((sent) => socket.write(Buffer.alloc(4 * MEGABYTE - 1), sent));
      expect(await refused).toMatch(/^HTTP\/1.1 503 [^]*retry-after: \d+/i);
      await post(bodyOf()).expect(200);
    } finally {
      slow.forEach((socket) => socket.destroy());
    }
  });

  describe('the verification of its address', () => {
    const verify = (query: object) => request(webhook.app.getHttpServer()).get(PATH).query(query);
    const good = { 'hub.mode': 'subscribe', 'hub.challenge': '1158201444', 'hub.verify_token': 'verify-me' };

    it('returns the bare challenge', async () => {
      const answer = await verify(good);

      expect([answer.status, answer.text]).toEqual([200, '1158201444']);
      expect(answer.headers['content-type']).toMatch(/^text\/plain/);
    });

    it.each([
      ['a wrong token', { ...good, 'hub.verify_token': 'verify-you' }],
      ['no token', { ...good, 'hub.verify_token': undefined }],
      ['two tokens', { ...good, 'hub.verify_token': ['verify-me', 'verify-you'] }],
      ['another mode', { ...good, 'hub.mode': 'unsubscribe' }],
      ['no challenge', { ...good, 'hub.challenge': undefined }],
      ['nothing', {}],
    ])('is refused with %s', async (_, query) => {
      const answer = await verify(query);

      expect(answer.status).toBe(403);
      expect(answer.body).toMatchObject({ code: 'verification_failed', statusCode: 403 });
    });
  });

  describe('a report', () => {
    it('is stored before the response 200', async () => {
      const [recipient] = (await recipientsInFlight(1)) as [RecipientRow];
      const answer = await post(bodyOf(statusOf(recipient)));

      expect([answer.status, answer.text]).toEqual([200, '']);
      expect(await outcomesOf(recipient.jobId)).toEqual(['Sent']);
      expect(await statusesOf(recipient.jobId)).toEqual(['Delivered']);
    });

    it('is accepted only with the signature of its exact bytes', async () => {
      const [recipient] = (await recipientsInFlight(1)) as [RecipientRow];
      const body = bodyOf(statusOf(recipient));
      const refused = [
        await post(body, null),
        await post(body, ''),
        await post(body, sign(body, 'another secret')),
        await post(body, sign(`${body} `)),
        await post('', sign('another body')),
      ];

      for (const answer of refused) {
        expect(answer.status).toBe(401);
        expect(answer.body).toMatchObject({ code: 'invalid_signature', requestId: expect.any(String) });
      }
      expect(await outcomesOf(recipient.jobId)).toEqual([null]);
    });

    it('without a signature costs little with any number of accounts', async () => {
      others = Array.from({ length: 3_000 }, (_, n) => ({ businessAccountId: `9${n}`, appSecret: `secret ${n}` }));
      const ids = others.map(({ businessAccountId }) => `{"id":"${businessAccountId}"}`).join();
      const body = `{"entry":[${ids}],"rest":"${'x'.repeat(3 * MEGABYTE)}"}`;
      const before = performance.eventLoopUtilization();
      expect((await post(body, sign(body, 'another secret'))).status).toBe(401);
      expect(performance.eventLoopUtilization(before).active).toBeLessThan(2_000);
    });

    it('is rejected unread after too many invalid signatures from its address, until a valid one', async () => {
      const wrong = () => post('{}', sign('{}', 'another secret'));
      const statuses = new Set<number>();
      for (let n = 0; n < 200 && !statuses.has(429); n++) statuses.add((await wrong()).status);
      expect([...statuses]).toEqual([401, 429]);
      const refused = await wrong();
      expect(refused.body).toMatchObject({ code: 'rate_limited', retryAfter: expect.any(Number) });
      expect(refused.headers['retry-after']).toBe(String(refused.body.retryAfter));
      webhook.parts.get(FailedAttempts).forgive('signature', '127.0.0.1');
      for (let n = 0; n < 40; n++) await wrong();
      expect((await post('{}')).status).toBe(200);
      for (let n = 0; n < 40; n++) expect((await wrong()).status).toBe(401);
    });

    it('is rejected sooner if unsigned bodies are large', async () => {
      const body = `{"rest":"${'x'.repeat(4 * MEGABYTE - 40)}"}`;
      const statuses = [];
      for (let n = 0; n < 10; n++) statuses.push((await post(body, sign(body, 'another secret'))).status);
      expect(new Set(statuses)).toEqual(new Set([401, 429]));
    });

    it('may have up to 1,000 statuses', async () => {
      const recipients = await recipientsInFlight(1000);
      const answer = await post(bodyOf(...recipients.map((recipient) => statusOf(recipient, 'read'))));

      expect(answer.status).toBe(200);
      expect(new Set(await outcomesOf(recipients[0]!.jobId))).toEqual(new Set(['Sent']));
      const statuses = await statusesOf(recipients[0]!.jobId);
      expect([statuses.length, new Set(statuses)]).toEqual([1000, new Set(['Read'])]);
    });

    it('may have up to 4 MB', async () => {
      const body = (bytes: number) => `{"entry":[],"rest":"${'x'.repeat(bytes - 22)}"}`;

      expect((await post(body(4 * MEGABYTE))).status).toBe(200);
      expect((await post(body(4 * MEGABYTE + 1))).status).toBe(413);
    });

    it('is parked if correctly signed but not JSON, so that the platform does not repeat it forever', async () => {
      const answer = await post('{"entry":\u0000');

      expect(answer.status).toBe(200);
      expect(await parked()).toEqual([
        { reason: expect.stringMatching(/^The body cannot be read: /), body: '{"entry":\uFFFD' },
      ]);
    });

    it.each(['{}', '[]', 'null', '7', '{"entry":[{"id":"2","changes":[{"field":"flows","value":{}}]}]}'])(
      'is not an error without relevant content: %s',
      async (body) => {
        expect((await post(body)).status).toBe(200);
        expect(await parked()).toEqual([]);
      },
    );

    it('is applied except one invalid update, which is parked', async () => {
      const recipients = await recipientsInFlight(9);
      const bad = `wamid.${recipients[4]!.messageId}`;
      failure = (id) => (id === bad ? new Error('This one is poison.') : null);
      const answer = await post(bodyOf(...recipients.map((recipient) => statusOf(recipient))));

      expect(answer.status).toBe(200);
      expect(await outcomesOf(recipients[0]!.jobId)).toEqual(recipients.map((_, n) => (n === 4 ? null : 'Sent')));
      const [aside, ...others] = await parked();
      expect(others).toEqual([]);
      expect(aside?.reason).toBe('The update cannot be applied: This one is poison.');
      expect(JSON.parse(aside?.body ?? '')).toMatchObject({ platformMessageId: bad, status: 'delivered' });
    });

    it('is repeated if the database waited too long for a lock', async () => {
      const [recipient] = (await recipientsInFlight(1)) as [RecipientRow];
      failure = () => Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' });
      const answer = await post(bodyOf(statusOf(recipient)));

      expect(answer.status).toBe(503);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      expect(await parked()).toEqual([]);

      failure = null;
      expect((await post(bodyOf(statusOf(recipient)))).status).toBe(200);
      expect(await outcomesOf(recipient.jobId)).toEqual(['Sent']);
    });
  });
});
