import type { BulkJobDetailDto } from '../../../libs/client/generated/types.gen';
import { detailOf, doubled, ended, newPhones, recipientsOf, sendTo, settled } from '../../support/process/bulk';
import { Client } from '../../support/process/client';
import { PlatformProxy } from '../../support/process/platform-proxy';
import { Platform } from '../../support/process/platform';
import { type Service, startService, until } from '../../support/process/service';

const PACE = 100;
/** The requests that two seconds allow, plus the probes. */
const MOST_UNKNOWN = 2 * PACE + 10;

describe('An outage of the platform', () => {
  let platform: Platform;
  let line: PlatformProxy;
  let service: Service;
  let client: Client;

  beforeAll(async () => {
    platform = await Platform.start();
    line = await PlatformProxy.to(platform.url);
    service = await startService({
      platformUrl: line.url,
      env: { MESSAGES_PER_SECOND: String(PACE), PLATFORM_TIMEOUT_SECONDS: '2', UNKNOWN_GRACE_SECONDS: '3' },
    });
    client = new Client(service);
  });

  afterAll(async () => {
    await service?.stop();
    await service?.store.drop();
    await line?.cut();
    await platform?.close();
  });

  const fresh = newPhones();
  const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));
  const acceptedOf = async (jobId: string) =>
    (await platform.ledger()).filter(({ callbackData }) => callbackData.includes(jobId)).map(({ to }) => to);

  /** No duplicates, no losses, and no failures except unknown outcomes. */
  async function expectWhole(job: BulkJobDetailDto, numbers: readonly string[], unknown: number): Promise<void> {
    const accepted = await acceptedOf(job.jobId);
    const recipients = await recipientsOf(client, job.jobId);
    expect(doubled(accepted)).toEqual([]);
    const unsent = recipients.filter(({ status }) => !['Sent', 'Delivered', 'Read'].includes(status));
    expect(unsent.filter(({ errorCode }) => errorCode !== 'outcome_unknown')).toEqual([]);
    expect(unsent.length).toBeLessThanOrEqual(unknown);
    const unknownOnes = new Set(unsent.map((recipient) => recipient.phone));
    expect(numbers.filter((to) => !accepted.includes(to) && !unknownOnes.has(to))).toEqual([]);
    expect(job).toMatchObject({
      status: 'Completed',
      progressPercentage: 100,
      successfullySent: numbers.length - unsent.length,
    });
    expect(job.successfullySent + job.failed).toBe(numbers.length);
  }

  it('with an error for every request fails no one', async () => {
    const numbers = fresh(400);
    const jobId = await sendTo(client, numbers);
    await settled(client, jobId, 50);
    await platform.configure({ faults: { error131000: 1 } });
    await until(async () => (await detailOf(client, jobId)).throttled !== null, 5000, 'the job shows why it waits');
    expect(await detailOf(client, jobId)).toMatchObject({
      status: 'Processing',
      throttled: { reason: 'platform_outage' },
    });
    const before = (await platform.stats()).arrivals;
    await wait(4000);
    expect((await platform.stats()).arrivals - before).toBeLessThan(15);
    await platform.configure({ faults: { error131000: 0 } });
    await expectWhole(await ended(client, jobId), numbers, 0);
  });

  it('without connections fails only requests in flight', async () => {
    await platform.configure({ latencyMs: 100 });
    const numbers = fresh(600);
    const jobId = await sendTo(client, numbers);
    await settled(client, jobId, 100);
    await line.cut();
    const single = await client.post('/send-template', { to: fresh(1)[0]!, templateName: 'hello_world' });
    expect([single.status, single.body.code]).toEqual([503, 'platform_unavailable']);
    await wait(4000);
    await line.restore();
    await platform.configure({ latencyMs: 0 });
    await expectWhole(await ended(client, jobId), numbers, MOST_UNKNOWN);
  });

  it('is reported immediately for single messages, which are sent afterwards', async () => {
    await line.cut();
    const [to] = fresh(1);
    const headers = { 'idempotency-key': 'outage' };
    const send = () => client.post('/send-template', { to, templateName: 'hello_world' }, { headers });
    const refused = await send();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    await line.restore();
    expect((await send()).status).toBe(201);
    expect((await platform.accepted()).filter((number) => number === to)).toHaveLength(1);
  });

  it('with hanging requests leaves only requests in flight unknown', async () => {
    const numbers = fresh(400);
    const jobId = await sendTo(client, numbers);
    await settled(client, jobId, 50);
    await platform.configure({ faults: { hang: 1 } });
    await wait(4000);
    await platform.configure({ faults: { hang: 0 } });
    await expectWhole(await ended(client, jobId), numbers, MOST_UNKNOWN);
  });
});
