import type { BulkJobDetailDto } from '../../../libs/client/generated/types.gen';
import {
  control,
  detailOf,
  doubled,
  ended,
  newPhones,
  recipientsOf,
  sendTo,
  settled,
} from '../../support/process/bulk';
import { Client } from '../../support/process/client';
import { figuresOf } from '../../support/process/figures';
import { type Accepted, Platform } from '../../support/process/platform';
import { type Service, startService, type Store, until } from '../../support/process/service';

// Measures wall time: other load can only disturb a run, so one undisturbed run is sufficient.
jest.retryTimes(2, { logErrorsBeforeRetry: true });

const PACE = 80;

describe('A throttle of the platform', () => {
  let platform: Platform;
  let service: Service;
  let client: Client;

  beforeAll(async () => {
    platform = await Platform.start({ statuses: false });
    await start();
  });

  afterAll(async () => {
    await service?.stop();
    await service?.store.drop();
    await platform?.close();
  });

  async function start(store?: Store): Promise<void> {
    service = await startService({ platformUrl: platform.url, store, env: { MESSAGES_PER_SECOND: String(PACE) } });
    client = new Client(service);
  }

  /** A new process has no memory of earlier throttles: it sends instead of waiting. */
  async function restart(): Promise<void> {
    await service.stop();
    await start(service.store);
  }

  const fresh = newPhones();
  const rateOf = (sent: readonly Accepted[]) =>
    (sent.length * 1000) / (Date.parse(sent.at(-1)!.at) - Date.parse(sent[0]!.at));
  const refusedWith = async (code: number) => (await platform.stats()).refused[code] ?? 0;

  async function expectWhole(job: BulkJobDetailDto, numbers: readonly string[]): Promise<void> {
    expect(job).toMatchObject({ status: 'Completed', successfullySent: numbers.length, failed: 0, throttled: null });
    const accepted = (await platform.accepted()).filter((to) => numbers.includes(to));
    expect(doubled(accepted)).toEqual([]);
    expect(accepted).toHaveLength(numbers.length);
  }

  it('of the pace (130429) slows the sender down, and fails no one', async () => {
    const numbers = fresh(80);
    const jobId = await sendTo(client, numbers);
    await settled(client, jobId, 5);
    await platform.configure({ refuseNext: { code: 130429, count: 10 } });
    await until(async () => (await refusedWith(130429)) === 10, 5000, 'some are throttled');
    const before = (await platform.ledger()).length;
    await expectWhole(await ended(client, jobId), numbers);
    expect((await figuresOf(service)).get('messaging_throttled_total{scope="pace"}')).toBe(10);
    expect(rateOf((await platform.ledger(before)).slice(0, 30))).toBeLessThan(0.9 * PACE);
    const attempts = (await recipientsOf(client, jobId)).reduce((sum, recipient) => sum + recipient.attempts, 0);
    expect(attempts).toBe(numbers.length + 10);
  });

  it('of a pair (131056) delays only that person', async () => {
    const numbers = fresh(60);
    await platform.configure({ refuseNext: { code: 131056, count: 2 } });
    const jobId = await sendTo(client, numbers);
    const job = await ended(client, jobId);
    await expectWhole(job, numbers);
    expect(Date.parse(job.completedAt!) - Date.parse(job.startedAt!)).toBeGreaterThanOrEqual(1000);
    const attempts = (await recipientsOf(client, jobId)).map((recipient) => recipient.attempts);
    expect(attempts.filter((count) => count === 2)).toHaveLength(2);
    expect(attempts.filter((count) => count === 1)).toHaveLength(numbers.length - 2);
  });

  it('of a single send delays it: it is Queued, and sent once automatically', async () => {
    const [to] = fresh(1);
    await platform.configure({ refuseNext: { code: 130429, count: 2 } });
    const answer = await client.post('/send-template', { to, templateName: 'hello_world' });
    expect(answer).toMatchObject({ status: 202, body: { status: 'Queued', platformMessageId: null } });
    await until(async () => (await platform.accepted()).includes(to!), 5000, 'it is sent');
    expect((await platform.accepted()).filter((number) => number === to)).toHaveLength(1);
  });

  /** A job that waits because the platform has limited the account; returns its status. */
  async function limitedJob(numbers: readonly string[], code: number): Promise<BulkJobDetailDto> {
    await restart();
    const jobId = await sendTo(client, numbers);
    await settled(client, jobId, 20);
    await platform.configure({ refuseNext: { code, count: 1 } });
    await until(async () => (await detailOf(client, jobId)).throttled !== null, 5000, 'the job shows why it waits');
    // Requests in flight arrive.
    await new Promise((done) => setTimeout(done, 500));
    return detailOf(client, jobId);
  }

  it('of the account (80007) holds the sender for a minute, shows it, and fails no one', async () => {
    const numbers = fresh(80);
    const job = await limitedJob(numbers, 80007);
    const { arrivals } = await platform.stats();
    expect(job).toMatchObject({ status: 'Processing', failed: 0, throttled: { reason: 'account_rate_limited' } });
    const waits = Date.parse(job.throttled!.until!) - Date.now();
    expect(waits).toBeGreaterThan(45_000);
    expect(waits).toBeLessThanOrEqual(60_000);
    await new Promise((done) => setTimeout(done, 600));
    expect((await platform.stats()).arrivals).toBe(arrivals);
    expect(service.log.some((line) => line.includes('account_rate_limited'))).toBe(true);
    const seconds = 'messaging_lane_throttled_seconds_total{reason="account_rate_limited"}';
    expect((await figuresOf(service)).get(seconds)).toBeGreaterThan(0.5);

    await restart();
    await expectWhole(await ended(client, job.jobId), numbers);
  });

  it('of the app (4) holds it the same way, and allows a cancellation', async () => {
    const numbers = fresh(80);
    const { jobId, throttled } = await limitedJob(numbers, 4);
    expect(throttled).toMatchObject({ reason: 'account_rate_limited' });
    await control(client, 'cancel', jobId);
    const job = await ended(client, jobId, 5000);
    expect(job.status).toBe('Cancelled');
    expect(job.successfullySent + job.failed).toBe(numbers.length);
    expect((await recipientsOf(client, jobId, { status: 'Failed' })).length).toBe(0);
  });

  it('of a new marketing template (134101) delays its own job, fails no one, and costs the other job no pace', async () => {
    await restart();
    const account = (await client.get('/me')).body.account.id as string;
    const sender = (marketingMessagesApi: boolean) =>
      client.call('PATCH', `/accounts/${account}`, { body: { sender: { marketingMessagesApi } } });
    expect((await sender(true)).status).toBe(200);
    await platform.configure({ marketingPreparationMs: 600_000, autoApproveMs: 0 });
    // A repeated test needs a new template.
    const name = `news_${Date.now()}`;
    const draft = {
      name,
      languageCode: 'en_US',
      category: 'Marketing',
      body: { text: `Look what ${name} has for you.` },
    };
    expect((await client.post('/templates', draft)).status).toBe(201);
    const approved = async () => {
      await client.post('/templates/sync');
      return (await client.get(`/templates?search=${name}`)).body.items[0].status === 'Approved';
    };
    await until(approved, 5000, 'the template is approved');

    const [marketing, other] = [fresh(400), fresh(400)];
    const waiting = await sendTo(client, marketing, { templateName: name });
    const going = await ended(client, await sendTo(client, other));
    await expectWhole(going, other);
    // Each refused attempt uses the pace of a message; repeated, they used as much as the other job.
    expect(await refusedWith(134101)).toBeLessThan(other.length / 4);
    const held = await detailOf(client, waiting);
    expect(held).toMatchObject({ status: 'Processing', failed: 0, throttled: { reason: 'template_limited' } });
    expect(await refusedWith(134101)).toBeGreaterThan(0);
    await platform.configure({ marketingPreparationMs: 0 });
    await expectWhole(await ended(client, waiting, 90_000), marketing);
    await sender(false);
  }, 120_000);
});
