import {
  control,
  detailOf,
  doubled,
  ended,
  phone,
  phones,
  progressOf,
  sendTo,
  settled,
} from '../../support/process/bulk';
import { Client } from '../../support/process/client';
import { Platform } from '../../support/process/platform';
import { newStore, type Service, startService, type Store, until } from '../../support/process/service';

// Measures wall time: other load can only disturb a run, so one undisturbed run is sufficient.
jest.retryTimes(2, { logErrorsBeforeRetry: true });

const TIER = 250;
const HOUR_MS = 3_600_000;

describe('A messaging tier', () => {
  const numbers = phones(300);
  let platform: Platform;
  let store: Store;
  let service: Service;
  let client: Client;
  let jobId: string;

  beforeAll(async () => {
    platform = await Platform.start({ statuses: false });
    store = await newStore();
    await start();
    jobId = await sendTo(client, numbers);
    await settled(client, jobId, TIER);
    await until(async () => (await detailOf(client, jobId)).throttled !== null, 5000, 'the job shows why it waits');
  });

  afterAll(async () => {
    await service?.stop();
    await store?.drop();
    await platform?.close();
  });

  async function start(): Promise<void> {
    service = await startService({ store, platformUrl: platform.url, env: { MESSAGING_TIER: String(TIER) } });
    client = new Client(service);
  }

  const send = (to: string) => client.messaging().sendTemplate({ to, templateName: 'hello_world' });
  const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));

  it('lets a job reach as many people as it allows, and shows until when the rest waits', async () => {
    await wait(800);
    expect(await platform.accepted()).toHaveLength(TIER);
    const job = await detailOf(client, jobId);
    expect(job).toMatchObject({
      status: 'Processing',
      successfullySent: TIER,
      failed: 0,
      pending: 50,
      throttled: { reason: 'messaging_limit_reached', until: expect.any(String) },
    });
    const waits = Date.parse(job.throttled!.until!) - Date.now();
    expect(waits).toBeGreaterThan(23.9 * HOUR_MS);
    expect(waits).toBeLessThanOrEqual(24 * HOUR_MS);
    expect((await progressOf(client, jobId)).progressPercentage).toBe(83.3);
  });

  it('logs which job waits, for what and until when', async () => {
    const { throttled } = await detailOf(client, jobId);
    const lines = service.log.filter((line) => line.includes(jobId) && line.includes('messaging_limit_reached'));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(throttled!.until);
  });

  it('does not count people messaged within a day, although that job waits', async () => {
    const known = numbers.slice(0, 20);
    expect(await send(known[0]!)).toMatchObject({ status: 'Sent' });
    const again = await ended(client, await sendTo(client, known));
    expect(again).toMatchObject({ status: 'Completed', successfullySent: 20, failed: 0, throttled: null });
    expect(await platform.accepted()).toHaveLength(TIER + 21);
  });

  it('queues a single send to a new person', async () => {
    const to = phone(5000);
    expect(await send(to)).toMatchObject({ status: 'Queued', platformMessageId: null });
    await wait(800);
    expect(await platform.accepted()).not.toContain(to);
  });

  it('survives a restart: no further people are messaged', async () => {
    await service.kill();
    await start();
    await wait(1500);
    expect(await detailOf(client, jobId)).toMatchObject({
      successfullySent: TIER,
      throttled: { reason: 'messaging_limit_reached' },
    });
    const accepted = await platform.accepted();
    expect(accepted).toHaveLength(TIER + 21);
    expect(doubled(accepted.slice(0, TIER))).toEqual([]);
    expect(await send(phone(5001))).toMatchObject({ status: 'Queued' });
  });

  it('allows waiting messages to be cancelled', async () => {
    await control(client, 'cancel', jobId);
    expect(await ended(client, jobId)).toMatchObject({ status: 'Cancelled', successfullySent: TIER, failed: 50 });
  });
});
