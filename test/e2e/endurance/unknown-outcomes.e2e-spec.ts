import type { BulkJobDetailDto, JobRecipientDto } from '../../../libs/client/generated/types.gen';
import { detailOf, ended, phones, recipientsOf, sendTo } from '../../support/process/bulk';
import { Client } from '../../support/process/client';
import { figuresOf } from '../../support/process/figures';
import { type Accepted, Platform } from '../../support/process/platform';
import { newStore, type Service, startService, type Store, until } from '../../support/process/service';
import { freePort } from '../../support/free-port';
import { postWebhook, reportOf, statusOf } from '../../support/process/webhook';

const GRACE_SECONDS = 2;
/** Accepted by the sandbox without a response; the connection is cut after the acceptance. */
const SILENT = ['4915177710005', '4915177720005', '4915177730005'];
const CUT = '4915177710006';

describe('An unknown outcome', () => {
  let platform: Platform;
  let service: Service;
  let client: Client;

  beforeAll(async () => {
    platform = await Platform.start({ statusDelayMs: 1200, statusesForUnanswered: false });
    const port = await freePort();
    service = await startService({
      platformUrl: platform.url,
      env: {
        PORT: String(port),
        PUBLIC_URL: `http://127.0.0.1:${port}`,
        PLATFORM_TIMEOUT_SECONDS: '1',
        UNKNOWN_GRACE_SECONDS: String(GRACE_SECONDS),
      },
    });
    client = new Client(service);
    const isSubscribed = () => Promise.resolve(service.log.some((line) => line.includes('The platform reports on')));
    await until(isSubscribed, 10_000, 'the account is subscribed');
  });

  afterAll(async () => {
    await service?.stop();
    await service?.store.drop();
    await platform?.close();
  });

  const statusIn = async (jobId: string, to: string): Promise<JobRecipientDto | undefined> =>
    (await recipientsOf(client, jobId)).find((recipient) => recipient.phone === to);
  const acceptanceOf = async (to: string): Promise<Accepted> => {
    const found = (await platform.ledger()).filter((entry) => entry.to.endsWith(to));
    expect(found).toHaveLength(1);
    return found[0]!;
  };
  const report = async (to: string, status: string) =>
    expect((await postWebhook(service, reportOf([statusOf(await acceptanceOf(to), status)]))).status).toBe(200);
  const sumOf = ({ successfullySent, failed }: BulkJobDetailDto) => [successfullySent, failed];

  it('is settled by a timely report, which ends the job', async () => {
    await platform.configure({ statusesForUnanswered: true });
    const jobId = await sendTo(client, [...phones(3), CUT]);
    await until(async () => (await detailOf(client, jobId)).unknown === 1, 5000, 'one outcome is unknown');
    expect(await detailOf(client, jobId)).toMatchObject({ status: 'Processing', successfullySent: 3, failed: 0 });
    expect(await statusIn(jobId, CUT)).toMatchObject({ status: 'Unknown', errorCode: null });

    const job = await ended(client, jobId);
    expect(job).toMatchObject({ status: 'Completed', successfullySent: 4, failed: 0, unknown: 0 });
    await platform.configure({ statusesForUnanswered: false });
    await acceptanceOf(CUT);
  });

  it('counts as failed after the grace time, and a later report corrects it', async () => {
    const jobId = await sendTo(client, [...phones(3, 10), ...SILENT]);
    const job = await ended(client, jobId);
    expect(job).toMatchObject({ status: 'Completed', successfullySent: 3, failed: 3, unknown: 3, undelivered: 0 });
    for (const to of SILENT) {
      expect(await statusIn(jobId, to)).toMatchObject({ status: 'Unknown', errorCode: 'outcome_unknown', attempts: 1 });
    }

    const [delivered, undelivered, silent] = SILENT as [string, string, string];
    await report(delivered, 'delivered');
    await report(undelivered, 'failed');
    await report(undelivered, 'failed');
    await until(async () => (await detailOf(client, jobId)).undelivered === 1, 5000, 'the failure is counted');
    const corrected = await detailOf(client, jobId);
    expect(sumOf(corrected)).toEqual([5, 1]);
    expect(corrected).toMatchObject({ status: 'Completed', completedAt: job.completedAt, unknown: 1 });
    expect(await statusIn(jobId, delivered)).toMatchObject({ status: 'Delivered', errorCode: null });
    expect(await statusIn(jobId, undelivered)).toMatchObject({
      status: 'Undelivered',
      errorCode: 'recipient_unreachable',
      platformCode: 131026,
      platformMessageId: (await acceptanceOf(undelivered)).messageId,
    });
    expect(await statusIn(jobId, silent)).toMatchObject({ status: 'Unknown', errorCode: 'outcome_unknown' });
    await acceptanceOf(silent);
  });

  it('of a single send is settled the same way, and never sent again', async () => {
    const [settled, lost] = ['4915177740005', '4915177750005'];
    const unknown = async () => (await figuresOf(service)).get('messaging_messages_unknown_total') ?? 0;
    const failed = async () =>
      (await figuresOf(service)).get('messaging_messages_failed_total{code="outcome_unknown"}') ?? 0;
    const before = { unknown: await unknown(), failed: await failed() };
    for (const to of [settled, lost]) {
      const answer = await client.post('/send-template', { to, templateName: 'hello_world' });
      expect(answer).toMatchObject({ status: 202, body: { status: 'Unknown', platformMessageId: null } });
      if (to === settled) await report(to, 'sent');
    }

    expect(await unknown()).toBe(before.unknown + 2);
    await until(async () => (await failed()) > before.failed, (GRACE_SECONDS + 5) * 1000, 'one stays unknown');
    await new Promise((done) => setTimeout(done, 800));
    expect(await failed()).toBe(before.failed + 1);
    await acceptanceOf(settled);
    await acceptanceOf(lost);
  });
});

if (process.env.DATABASE_URL && process.env.REDIS_URL) {
  describe('An outcome unknown to a worker', () => {
    let platform: Platform;
    let store: Store;
    let api: Service;
    let worker: Service;

    beforeAll(async () => {
      platform = await Platform.start({ statuses: false });
      store = await newStore();
      const options = { store, platformUrl: platform.url };
      const pace = { MESSAGES_PER_SECOND: '20' };
      api = await startService({ ...options, env: { ROLE: 'api', ...pace } });
      worker = await startService({ ...options, env: { ROLE: 'worker', UNKNOWN_GRACE_SECONDS: '600', ...pace } });
    });

    afterAll(async () => {
      await api?.stop();
      await worker?.stop();
      await store?.drop();
      await platform?.close();
    });

    it('is settled by a report to the API, and the worker ends the job immediately', async () => {
      const client = new Client(api);
      const jobId = await sendTo(client, [...phones(3), CUT]);
      await until(async () => (await detailOf(client, jobId)).unknown === 1, 10_000, 'one outcome is unknown');
      const found = (await platform.ledger()).filter(({ to }) => to.endsWith(CUT));
      const body = reportOf(found.map((one) => statusOf(one, 'read')));

      expect((await postWebhook(worker, body)).status).toBe(404);
      expect((await postWebhook(api, body)).status).toBe(200);
      expect(await ended(client, jobId, 5000)).toMatchObject({ status: 'Completed', successfullySent: 4, failed: 0 });
      expect((await figuresOf(worker)).get('messaging_jobs_total{event="ended"}')).toBe(1);
      expect((await figuresOf(api)).get('messaging_webhook_updates_total{result="applied"}')).toBe(1);
    });

    it('does not keep the API from pausing a job of that worker', async () => {
      const client = new Client(api);
      const before = (await platform.ledger()).length;
      const jobId = await sendTo(client, phones(100, 50));
      await until(async () => (await platform.ledger(before)).length > 10, 10_000, 'some are sent');
      const [first] = await platform.ledger(before);
      expect((await postWebhook(api, reportOf([statusOf(first!, 'failed', 131042)]))).status).toBe(200);
      await until(async () => (await detailOf(client, jobId)).status === 'Paused', 30_000, 'the job is paused');
      await new Promise((done) => setTimeout(done, 500));
      const accepted = (await platform.ledger(before)).length;
      await new Promise((done) => setTimeout(done, 500));
      expect(await platform.ledger(before)).toHaveLength(accepted);
      expect(accepted).toBeLessThan(100);
    });
  });
}
