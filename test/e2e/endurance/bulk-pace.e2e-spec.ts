import { doubled, ended, newPhones, phone, progressOf, sendTo, settled } from '../../support/process/bulk';
import { Client } from '../../support/process/client';
import { type Accepted, Platform } from '../../support/process/platform';
import { type Service, startService } from '../../support/process/service';

// Measures wall time: other load can only disturb a run, so one undisturbed run is sufficient.
jest.retryTimes(2, { logErrorsBeforeRetry: true });

const PACE = 80;
/** A busy machine bunches arrivals a little. */
const MOST_IN_A_SECOND = 88;
/** Reached even on a slow and busy machine; the pace benchmark measures the actual loss. */
const LEAST_SHARE = 0.2;

describe('A sender', () => {
  let platform: Platform;
  let service: Service;
  let client: Client;

  beforeAll(async () => {
    platform = await Platform.spawn();
    service = await startService({ platformUrl: platform.url, env: { MESSAGES_PER_SECOND: String(PACE) } });
    client = new Client(service);
  });

  afterAll(async () => {
    await service?.stop();
    await service?.store.drop();
    await platform?.close();
  });

  const fresh = newPhones();
  const secondsBetween = (first: Accepted, last: Accepted) => (Date.parse(last.at) - Date.parse(first.at)) / 1000;
  const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));
  const acceptedOf = async (jobId: string) =>
    (await platform.ledger()).filter(({ callbackData }) => callbackData.includes(jobId));

  it('keeps its pace: never above it, and never far below it', async () => {
    const jobId = await sendTo(client, fresh(400));
    await ended(client, jobId);
    const sent = await acceptedOf(jobId);
    expect(sent).toHaveLength(400);
    expect(399 / secondsBetween(sent[0]!, sent.at(-1)!)).toBeGreaterThanOrEqual(PACE * LEAST_SHARE);
    expect((await platform.stats()).maxArrivalsPerSecond).toBeLessThanOrEqual(MOST_IN_A_SECOND);
  });

  it('has no more messages in flight than job connections, and fails no recipient for lack of one', async () => {
    const [connections, latencyMs, recipients] = [16, 500, 84];
    const slow = await Platform.spawn({ latencyMs });
    const env = { MESSAGES_PER_SECOND: '500', PLATFORM_CONNECTIONS: String(connections) };
    const other = await startService({ platformUrl: slow.url, env });
    try {
      const jobId = await sendTo(new Client(other), fresh(recipients));
      expect(await ended(new Client(other), jobId)).toMatchObject({ successfullySent: recipients, failed: 0 });
      const sent = await slow.ledger();
      const rounds = Math.ceil(recipients / (connections * (7 / 8)));
      expect(secondsBetween(sent[0]!, sent.at(-1)!)).toBeGreaterThanOrEqual(((rounds - 1) * latencyMs) / 1000 - 0.1);
    } finally {
      await other.stop();
      await other.store.drop();
      await slow.close();
    }
  });

  it('stops within 2 s of the emergency stop, and continues afterwards', async () => {
    const { body: me } = await client.get('/me');
    const patch = (sendingPaused: boolean) =>
      client.call('PATCH', `/accounts/${me.account.id}`, { body: { sendingPaused } });
    const jobId = await sendTo(client, fresh(320));
    await settled(client, jobId, 40);
    expect((await patch(true)).status).toBe(200);
    await wait(2000);
    const { seq } = (await platform.ledger()).at(-1)!;
    const single = await client.post('/send-template', { to: phone(9_100_000), templateName: 'hello_world' });
    expect([single.status, single.body.code]).toEqual([503, 'sending_paused']);
    await wait(1500);
    expect(await platform.ledger(seq)).toEqual([]);
    expect(await progressOf(client, jobId)).toMatchObject({ status: 'Processing', failed: 0 });
    expect((await patch(false)).status).toBe(200);
    expect(await ended(client, jobId)).toMatchObject({ successfullySent: 320, failed: 0 });
  });

  it('loses no one on a platform that allows less than the pace', async () => {
    await platform.configure({ messagesPerSecond: 40 });
    const numbers = fresh(250);
    const jobId = await sendTo(client, numbers);
    const job = await ended(client, jobId);
    await platform.configure({ messagesPerSecond: 1000 });
    expect(job).toMatchObject({ status: 'Completed', successfullySent: 250, failed: 0, unknown: 0 });
    const sent = await acceptedOf(jobId);
    expect(doubled(sent.map(({ to }) => to))).toEqual([]);
    expect(sent.map(({ to }) => to).sort()).toEqual([...numbers].sort());
    // It slows down instead of sending a throttled request for each.
    expect((await platform.stats()).refused['130429']).toBeLessThan(150);
  });
});
