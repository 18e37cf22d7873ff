import { join } from 'node:path';
import { anotherAccount } from '../support/process/accounts';
import { detailOf, ended, groupOf, newPhones, recipientsOf, sendTo } from '../support/process/bulk';
import type { Client } from '../support/process/client';
import { Platform } from '../support/process/platform';
import { until } from '../support/process/service';
import { WebhookReceiver } from '../support/webhook-receiver';
import { pause } from './processes';
import { Deployment, type DeploymentOptions } from './support/deployment';

const MINUTE_MS = 60_000;
const SHIFTED_CLOCK = join(__dirname, '../support/process/shifted-clock.cjs');
/** Longest time on a busy machine from the start of a scheduled job to its first request. */
const STARTS_WITHIN_MS = 4000;
const VALID_SECONDS = 3;

/** By API: the first clock is ahead, the second behind. */
const CLOCKS = [5 * MINUTE_MS, -5 * MINUTE_MS].map((ms) => ({
  NODE_OPTIONS: `--require ${SHIFTED_CLOCK}`,
  CLOCK_SHIFT_MS: String(ms),
}));
const APIS = [0, 1];
/** Which API creates, and which erases. */
const PAIRS = [
  [0, 1],
  [1, 0],
  [0, 0],
] as const;

const SETUPS: [string, Partial<DeploymentOptions>][] = [
  ['APIs and workers', { workers: 2, envOf: (_role, n) => CLOCKS[n]! }],
  ['Processes of both roles', { workers: 0, envOf: (_role, n) => ({ ROLE: 'all', ...CLOCKS[n] }) }],
];

const clockAt = (ms: number) => new Date(ms).toISOString().slice(11, 16);

// Other load can only delay what they start.
jest.retryTimes(2);

describe.each(SETUPS)('%s whose clocks are five minutes ahead and behind', (_name, setup) => {
  const fresh = newPhones();
  let platform: Platform;
  let deployment: Deployment;

  beforeAll(async () => {
    platform = await Platform.spawn({ autoCreateSenders: true });
    deployment = await Deployment.start({ platform, apis: 2, env: { WEBHOOK_ALLOW_PRIVATE: 'true' }, ...setup });
  });

  afterAll(async () => {
    await deployment?.close();
    await platform.close();
  });

  const onEach = (test: (client: Client) => Promise<void>) =>
    Promise.all(APIS.map((api) => test(deployment.client(api))));
  const departures = async (numbers: readonly string[]) =>
    (await platform.ledger()).filter(({ to }) => numbers.includes(to)).map(({ at }) => Date.parse(at));

  async function erase(client: Client, phone: string): Promise<void> {
    const found = await client.get(`/contacts?phone=${phone}`);
    const [contact] = found.body.items as { id: string }[];
    const { status } = await client.call('DELETE', `/contacts/${contact!.id}?erase=true`);
    expect([202, 204]).toContain(status);
  }

  /** Completes both rounds of every erasure; returns the tables that still contain the number. */
  async function holdersOf(phone: string): Promise<string[]> {
    const isErased = async () => {
      await deployment.postgres.rows('UPDATE erasures SET due_at = now() WHERE completed_at IS NULL AND owner IS NULL');
      return (await deployment.postgres.rows('SELECT 1 FROM erasures WHERE completed_at IS NULL')).length === 0;
    };
    await until(isErased, 30_000, 'the erasures are complete');
    const tables = await deployment.postgres.rows<{ name: string }>(
      `SELECT format('%I', relname) AS name FROM pg_class
       WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`,
    );
    const holding = tables.map(
      ({ name }) => `SELECT '${name}' AS name WHERE EXISTS (SELECT 1 FROM ${name} t WHERE strpos(t::text, $1) > 0)`,
    );
    const found = await deployment.postgres.rows<{ name: string }>(holding.join(' UNION ALL '), [phone]);
    return found.map(({ name }) => name);
  }

  it('start a scheduled job at its time', async () => {
    await onEach(async (client) => {
      const numbers = fresh(5);
      const moment = Date.now() + 7000;
      const jobId = await sendTo(client, numbers, { scheduledAt: new Date(moment).toISOString() });
      expect(await detailOf(client, jobId)).toMatchObject({ status: 'Scheduled' });
      await ended(client, jobId);
      const [first] = (await departures(numbers)).sort();
      expect(first).toBeGreaterThanOrEqual(moment);
      expect(first).toBeLessThan(moment + STARTS_WITHIN_MS);
    });
  });

  it('send a queued message as soon as the pace allows', async () => {
    await onEach(async (client) => {
      const { key } = await anotherAccount(client, { messagesPerSecond: 1 });
      const numbers = fresh(4);
      const sends = numbers.map((to) => client.post('/send-template', { to, templateName: 'hello_world' }, { key }));
      expect((await Promise.all(sends)).map(({ status }) => status)).toContain(202);
      await until(async () => (await departures(numbers)).length === 4, 20_000, 'all four are sent');
    });
  });

  it('send while the window of a job is open, and wait while it is closed', async () => {
    await onEach(async (client) => {
      const now = Date.now();
      const windowed = async (fromMinutes: number, untilMinutes: number) => {
        const [from, end] = [fromMinutes, untilMinutes].map((minutes) => clockAt(now + minutes * MINUTE_MS));
        const numbers = fresh(3);
        const sendWindow = { from, until: end, timeZone: 'UTC' };
        const file = { name: 'list.csv', content: `phone\n${numbers.join('\n')}\n` };
        const made = await client.upload(file, {
          templateName: 'hello_world',
          sendWindow: JSON.stringify(sendWindow),
        });
        return { jobId: made.body.jobId as string, numbers };
      };
      const closed = [await windowed(2, 30), await windowed(-30, -1)];
      const open = await windowed(-2, 3);
      await ended(client, open.jobId);
      expect(await departures(open.numbers)).toHaveLength(3);
      for (const { jobId, numbers } of closed) {
        expect(await detailOf(client, jobId)).toMatchObject({ throttled: { reason: 'send_window' } });
        expect(await departures(numbers)).toEqual([]);
      }
    });
  });

  it('send only while a job is valid', async () => {
    await onEach(async (client) => {
      const { key } = await anotherAccount(client, { messagesPerSecond: 1 });
      const numbers = fresh(12);
      const jobId = await sendTo(client, numbers, { validForSeconds: VALID_SECONDS }, key);
      await ended(client, jobId, 60_000, key);
      const sent = (await departures(numbers)).length;
      expect(sent).toBeGreaterThan(0);
      expect(sent).toBeLessThan(numbers.length);
    });
  });

  it('recognise a repeated request', async () => {
    const [to] = fresh(1);
    const headers = { 'idempotency-key': `of two clocks: ${to}` };
    const answers = [];
    for (const api of [0, 1, 0]) {
      const client = deployment.client(api);
      answers.push(await client.post('/send-template', { to, templateName: 'hello_world' }, { headers }));
    }
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body.messageId as string)).size).toBe(1);
    expect(await departures([to!])).toHaveLength(1);
  });

  it('redeliver exactly the events since a time', async () => {
    const receiver = await new WebhookReceiver().start();
    try {
      const client = deployment.client();
      const made = await client.post('/webhook-endpoints', {
        url: receiver.url,
        events: ['message.sent'],
        maxEvents: 1,
      });
      const [early, late] = [fresh(2), fresh(2)];
      const receivedEvents = () => receiver.received.map(({ body }) => body);
      const send = async (numbers: string[], count: number) => {
        for (const api of APIS) {
          const body = { to: numbers[api], templateName: 'hello_world' };
          await deployment.client(api).post('/send-template', body);
        }
        await until(() => Promise.resolve(receivedEvents().length === count), 20_000, 'the events are delivered');
        await pause(1500);
      };
      await send(early, 2);
      const since = new Date().toISOString();
      await send(late, 4);
      for (const api of APIS) {
        const path = `/webhook-endpoints/${made.body.id as string}/replay`;
        const isBegun = async () => (await deployment.client(api).post(path, { since })).status === 202;
        await until(isBegun, 20_000, 'the replay has begun');
        await until(
          () => Promise.resolve(receivedEvents().length >= 6 + 2 * api),
          20_000,
          'the events are delivered again',
        );
        await pause(1500);
        expect(
          receivedEvents()
            .slice(4 + 2 * api)
            .sort(),
        ).toEqual(receivedEvents().slice(2, 4).sort());
      }
    } finally {
      await receiver.close();
    }
  });

  it.each(PAIRS)('erase a person from a waiting job: API %i creates it, API %i erases', async (maker, asked) => {
    const [person, other] = fresh(2);
    const name = `erased ${fresh(1)[0]}`;
    const groupId = await groupOf(deployment.client(maker), name, [{ phone: person! }, { phone: other! }]);
    const body = { groupId, templateName: 'hello_world', hold: true };
    const made = await deployment.client(maker).post('/send-template-to-group', body);
    const jobId = made.body.jobId as string;
    await erase(deployment.client(asked), person!);
    await deployment.client(asked).post(`/bulk-jobs/${jobId}/resume`);
    await ended(deployment.client(asked), jobId);
    expect(await departures([person!])).toEqual([]);
    const recipients = await recipientsOf(deployment.client(asked), jobId);
    expect(recipients.map(({ errorCode }) => errorCode).sort()).toEqual([null, 'recipient_erased'].sort());
  });

  it.each(PAIRS)(
    'leave no data of a person reached by a job: API %i creates it, API %i erases',
    async (maker, asked) => {
      const [person] = fresh(1);
      const groupId = await groupOf(deployment.client(maker), `reached ${fresh(1)[0]}`, [{ phone: person! }]);
      const made = await deployment
        .client(maker)
        .post('/send-template-to-group', { groupId, templateName: 'hello_world' });
      await ended(deployment.client(maker), made.body.jobId as string);
      expect(await departures([person!])).toHaveLength(1);
      await erase(deployment.client(asked), person!);
      expect(await holdersOf(person!)).toEqual([]);
    },
  );

  it.each(PAIRS)(
    'leave no data of a person with a message in flight: API %i sends, API %i erases',
    async (maker, asked) => {
      const [person] = fresh(1);
      await deployment.client(maker).post('/contacts', { phone: person });
      await platform.configure({ latencyMs: 2000 });
      try {
        const sending = deployment.client(maker).post('/send-template', { to: person, templateName: 'hello_world' });
        const recorded = `SELECT 1 FROM messages WHERE contact_phone = $1`;
        const isRecorded = async () => (await deployment.postgres.rows(recorded, [person])).length > 0;
        await until(isRecorded, 5000, 'the message is in flight');
        await erase(deployment.client(asked), person!);
        // 202 on a slow machine: what has not been sent by then is never sent.
        expect([201, 202]).toContain((await sending).status);
        expect(await holdersOf(person!)).toEqual([]);
      } finally {
        await platform.configure({ latencyMs: 0 });
      }
    },
  );
});
