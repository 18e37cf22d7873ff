import { anotherAccount } from '../../support/process/accounts';
import { Client } from '../../support/process/client';
import { expectError } from '../../support/process/errors';
import { Platform } from '../../support/process/platform';
import { type Service, startService, until } from '../../support/process/service';

// Measures wall time: other load can only disturb a run, so one undisturbed run is sufficient.
jest.retryTimes(2, { logErrorsBeforeRetry: true });

const TIMEOUT_SECONDS = 2;
const hello = (to: string) => ({ to, templateName: 'hello_world' });

describe('The outcome of a single send', () => {
  let platform: Platform;
  let service: Service;
  let client: Client;

  beforeAll(async () => {
    platform = await Platform.start({ autoCreateSenders: true });
    service = await startService({
      platformUrl: platform.url,
      env: { PLATFORM_TIMEOUT_SECONDS: String(TIMEOUT_SECONDS) },
    });
    client = new Client(service);
  });

  afterAll(async () => {
    await service?.stop();
    await service?.store.drop();
    await platform?.close();
  });

  const acceptedFor = async (to: string) => (await platform.accepted()).filter((phone) => phone.endsWith(to)).length;

  it('is 422 with the problem and platform code if the recipient is refused permanently', async () => {
    const answer = await client.post('/send-template', hello('4915112340002'));

    expect(expectError(answer, 422, 'recipient_unreachable')).toMatchObject({
      platformCode: 131026,
      messageId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      message: expect.stringContaining('131026'),
    });
    expect(await acceptedFor('4915112340002')).toBe(0);
  });

  it('is 202 Queued if the platform throttles it, and it is sent once automatically', async () => {
    const to = '4915112340004';
    const answer = await client.post('/send-template', hello(to));

    expect(answer).toMatchObject({ status: 202, body: { status: 'Queued', to, platformMessageId: null } });
    await until(async () => (await acceptedFor(to)) > 0, 5000, 'the throttled message is sent');
    await new Promise((done) => setTimeout(done, 500));
    expect(await acceptedFor(to)).toBe(1);
  });

  it('is 202 Queued if the pace makes it wait, and every message is sent once automatically', async () => {
    const slow = await anotherAccount(client, { messagesPerSecond: 1 });
    const numbers = ['4915112341010', '4915112341020', '4915112341030', '4915112341040'];
    const begun = Date.now();
    const answers = await Promise.all(numbers.map((to) => client.post('/send-template', hello(to), { key: slow.key })));

    expect(Date.now() - begun).toBeLessThan(2500);
    const queued = answers.filter(({ body }) => body.status === 'Queued');
    expect(queued.length).toBeGreaterThanOrEqual(2);
    for (const answer of answers) {
      expect(answer).toMatchObject(
        answer.body.status === 'Queued' ? { status: 202 } : { status: 201, body: { status: 'Sent' } },
      );
    }
    const sent = async () =>
      (await platform.ledger()).filter(({ phoneNumberId }) => phoneNumberId === slow.phoneNumberId);
    await until(async () => (await sent()).length >= numbers.length, 8000, 'all messages of the slow account are sent');
    expect((await sent()).map(({ to }) => to.replace('+', '')).sort()).toEqual(numbers);
  });

  describe('is 202 Unknown without a response of the platform, and the message is never sent again', () => {
    it.each([
      ['accepted but never answered', '4915112340005', 1],
      ['accepted and then cut off', '4915112340006', 1],
      ['a gateway answers 502 in HTML', '4915112340007', 0],
    ])('%s', async (_, to, accepted) => {
      const before = (await platform.stats()).arrivals;
      const acceptedBefore = await acceptedFor(to);
      const begun = Date.now();
      const answer = await client.post('/send-template', hello(to));

      expect(answer).toMatchObject({ status: 202, body: { status: 'Unknown', to, platformMessageId: null } });
      expect(Date.now() - begun).toBeLessThan(TIMEOUT_SECONDS * 1000 + 1500);
      await new Promise((done) => setTimeout(done, 1500));
      expect(await acceptedFor(to)).toBe(acceptedBefore + accepted);
      expect((await platform.stats()).arrivals).toBe(before + 1);
    });
  });

  it('is 202 Queued if the platform reports a temporary failure', async () => {
    await platform.configure({ refuseNext: { code: 131000, count: 1 } });
    const to = '4915112342020';
    const answer = await client.post('/send-template', hello(to));

    expect(answer).toMatchObject({ status: 202, body: { status: 'Queued' } });
    await until(async () => (await acceptedFor(to)) === 1, 8000, 'the message is sent after the outage');
  });

  it.each([
    ['access token is not valid', 190, 'platform_credentials_invalid'],
    ['account is locked', 131031, 'account_locked'],
    ['payment is missing', 131042, 'payment_problem'],
    ['template is paused', 132015, 'template_paused'],
  ])('is 422 with its own code if the %s', async (_, code, problem) => {
    await platform.configure({ refuseNext: { code, count: 1 } });
    const answer = await client.post('/send-template', hello('4915112342030'));

    expect(expectError(answer, 422, problem)).toMatchObject({ platformCode: code });
    expect(await acceptedFor('4915112342030')).toBe(0);
  });

  it('goes to the phone number of its own account', async () => {
    const other = await anotherAccount(client);
    await client.post('/send-template', hello('4915112342040'), { key: other.key });

    const [entry] = (await platform.ledger()).filter(({ to }) => to.endsWith('4915112342040'));
    expect(entry?.phoneNumberId).toBe(other.phoneNumberId);
  });

  it('stops within two seconds of the emergency stop, and continues after it', async () => {
    const account = await anotherAccount(client, { messagesPerSecond: 2 });
    const numbers = Array.from({ length: 12 }, (_, n) => String(4915112343010 + n * 10));
    const sent = async () =>
      (await platform.ledger()).filter(({ phoneNumberId }) => phoneNumberId === account.phoneNumberId).length;
    await Promise.all(numbers.map((to) => client.post('/send-template', hello(to), { key: account.key })));

    await client.call('PATCH', `/accounts/${account.id}`, { body: { sendingPaused: true } });
    await new Promise((done) => setTimeout(done, 2000));
    const atStop = await sent();
    await new Promise((done) => setTimeout(done, 1500));

    expect(await sent()).toBe(atStop);
    expect(atStop).toBeLessThan(numbers.length);
    await client.call('PATCH', `/accounts/${account.id}`, {
      body: { sendingPaused: false, sender: { messagesPerSecond: 1000 } },
    });
    await until(async () => (await sent()) === numbers.length, 8000, 'the rest is sent');
  });

  it('is 503 platform_unavailable while nothing listens; nothing is sent later, and a retry is safe', async () => {
    const to = '4915112344010';
    const { port } = platform;
    await platform.close();
    const answer = await client.post('/send-template', hello(to));

    const body = expectError(answer, 503, 'platform_unavailable');
    expect(body.message).toMatch(/nothing was sent/i);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    platform = await Platform.start({ autoCreateSenders: true }, port);
    await new Promise((done) => setTimeout(done, 1500));
    expect(await acceptedFor(to)).toBe(0);
    expect(await client.post('/send-template', hello(to))).toMatchObject({ status: 201, body: { status: 'Sent' } });
    expect(await acceptedFor(to)).toBe(1);
  });
});
