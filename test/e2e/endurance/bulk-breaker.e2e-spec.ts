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
import { Platform } from '../../support/process/platform';
import { type Service, startService, until } from '../../support/process/service';
import { postWebhook, reportOf, statusOf } from '../../support/process/webhook';

const PACE = 200;
const COUNT = 100;

describe('A job whose messages the platform refuses or holds', () => {
  let platform: Platform;
  let service: Service;
  let client: Client;

  beforeAll(async () => {
    platform = await Platform.start({ statuses: false });
    service = await startService({ platformUrl: platform.url, env: { MESSAGES_PER_SECOND: String(PACE) } });
    client = new Client(service);
  });

  afterAll(async () => {
    await service?.stop();
    await service?.store.drop();
    await platform?.close();
  });

  // A job that waits for its template requests a sync every 15 seconds, which may record the state of an earlier test.
  beforeEach(async () => {
    await platform.changeTemplate('hello_world', 'APPROVED');
    await until(async () => (await client.post('/templates/sync')).status === 200, 20_000, 'templates are synced');
  });

  const fresh = newPhones();
  const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));

  async function paused(jobId: string): Promise<BulkJobDetailDto> {
    await until(async () => (await detailOf(client, jobId)).status === 'Paused', 5000, 'the job is paused');
    return detailOf(client, jobId);
  }

  /** Refused recipients wait, and nothing more is sent. */
  async function expectQuiet(jobId: string, failed: number): Promise<void> {
    await wait(200);
    const { arrivals } = await platform.stats();
    await wait(400);
    expect((await platform.stats()).arrivals).toBe(arrivals);
    expect(await detailOf(client, jobId)).toMatchObject({ status: 'Paused', failed, completedAt: null });
  }

  /** After the cause is fixed and the job resumed, everyone is reached exactly once. */
  async function expectWholeAfterResume(jobId: string, numbers: readonly string[]): Promise<void> {
    if ((await detailOf(client, jobId)).status === 'Paused') await control(client, 'resume', jobId);
    const job = await ended(client, jobId);
    expect(job).toMatchObject({
      status: 'Completed',
      successfullySent: numbers.length,
      failed: 0,
      pauseReason: null,
      allowedActions: expect.any(Array),
    });
    const accepted = (await platform.accepted()).filter((to) => numbers.includes(to));
    expect(doubled(accepted)).toEqual([]);
    expect(accepted).toHaveLength(numbers.length);
  }

  it.each([
    [190, 'the access token has expired', 'session is no longer valid'],
    [131031, 'the account is locked', '131031'],
    [131048, 'the number is restricted for spam', '131048'],
  ])('with %i (%s) is paused with a reason, and continues when resumed', async (code, _, said) => {
    const numbers = fresh(COUNT);
    const jobId = await sendTo(client, numbers);
    await settled(client, jobId, 20);
    await platform.configure({ faults: { refuse: { [code]: 1 } } });
    const job = await paused(jobId);
    expect(job.pauseReason).toMatchObject({ message: expect.stringContaining(`platform code ${code}`) as string });
    expect(job.pauseReason).toMatchObject({ message: expect.stringContaining(said) as string });
    expect(job.allowedActions).toEqual(expect.arrayContaining(['resume', 'cancel']));
    await expectQuiet(jobId, 0);
    const { refused } = await platform.stats();
    expect(refused[code]).toBeLessThan(COUNT / 2);
    expect(service.log.some((line) => line.includes(`Job ${jobId} paused`))).toBe(true);

    await platform.configure({ faults: { refuse: {} } });
    await expectWholeAfterResume(jobId, numbers);
  });

  it('is paused while its template is paused there, and continues afterwards', async () => {
    const numbers = fresh(COUNT);
    const jobId = await sendTo(client, numbers);
    await settled(client, jobId, 20);
    await platform.changeTemplate('hello_world', 'PAUSED');
    expect((await paused(jobId)).pauseReason).toMatchObject({ code: 'template_paused' });
    await expectQuiet(jobId, 0);

    // Too early: it is paused again, without losing anyone.
    await control(client, 'resume', jobId);
    await paused(jobId);
    await expectQuiet(jobId, 0);
    await platform.changeTemplate('hello_world', 'APPROVED');
    await until(async () => (await client.post('/templates/sync')).status === 200, 20_000, 'templates are synced');
    await expectWholeAfterResume(jobId, numbers);
  });

  it('fails if its template is permanently disabled there, and the rest can be retried', async () => {
    const jobId = await sendTo(client, fresh(COUNT));
    await settled(client, jobId, 20);
    await platform.changeTemplate('hello_world', 'DISABLED');
    const job = await ended(client, jobId);
    expect(job).toMatchObject({ status: 'Failed', pauseReason: null, pending: 0, allowedActions: ['retry'] });
    expect(job.error).toMatchObject({
      code: 'template_disabled',
      message: expect.stringContaining('platform code 132016') as string,
    });
    expect(job.successfullySent + job.failed).toBe(COUNT);
    expect(job.failed).toBeGreaterThan(0);

    await platform.changeTemplate('hello_world', 'APPROVED');
    const again = await client.post(`/bulk-jobs/${jobId}/retry`, { scope: 'failed' });
    expect([again.status, again.body.totalRecipients]).toEqual([202, job.failed]);
    expect(await ended(client, again.body.jobId as string)).toMatchObject({
      status: 'Completed',
      successfullySent: job.failed,
    });
  });

  it('is paused after twenty refusals in a row, so that a wrong template fails few', async () => {
    const numbers = fresh(COUNT);
    const jobId = await sendTo(client, numbers);
    await settled(client, jobId, 20);
    await platform.configure({ faults: { refuse: { 132000: 1 } } });
    const job = await paused(jobId);
    expect(job.pauseReason).toEqual({
      code: 'refusals_in_row',
      message: expect.stringMatching(/20 consecutive messages.*platform code 132000/) as string,
    });
    await wait(300);
    const { failed } = await detailOf(client, jobId);
    expect(failed).toBeGreaterThanOrEqual(20);
    expect(failed).toBeLessThan(60);
    await expectQuiet(jobId, failed);

    await platform.configure({ faults: { refuse: {} } });
    await control(client, 'resume', jobId);
    expect(await ended(client, jobId)).toMatchObject({
      status: 'Completed',
      successfullySent: COUNT - failed,
      failed,
    });
    expect(await recipientsOf(client, jobId, { errorCode: 'parameter_count_mismatch' })).toHaveLength(failed);
  });

  it('held to assess the template are sent: they are accepted, and none is sent again', async () => {
    const before = (await platform.ledger()).length;
    await platform.configure({ faults: { held: 1 } });
    const job = await ended(client, await sendTo(client, fresh(30)));
    const single = await client.post('/send-template', { to: fresh(1)[0], templateName: 'hello_world' });
    await platform.configure({ faults: { held: 0 } });

    expect(job).toMatchObject({ status: 'Completed', successfullySent: 30, failed: 0 });
    expect(single).toMatchObject({ status: 201, body: { status: 'Sent' } });
    expect(await platform.ledger(before)).toHaveLength(31);
  });

  it('is paused by a report of a failure, after acceptance, that all others share', async () => {
    const numbers = fresh(COUNT);
    const before = (await platform.ledger()).length;
    const jobId = await sendTo(client, numbers);
    await settled(client, jobId, 20);
    const [own, paying] = await platform.ledger(before);
    expect((await postWebhook(service, reportOf([statusOf(own!, 'failed', 131026)]))).status).toBe(200);
    expect((await postWebhook(service, reportOf([statusOf(paying!, 'failed', 131042)]))).status).toBe(200);
    const job = await paused(jobId);
    expect(job.pauseReason).toMatchObject({ code: 'payment_problem' });
    await expectQuiet(jobId, 0);

    // Repeated reports were already applied.
    await control(client, 'resume', jobId);
    expect((await postWebhook(service, reportOf([statusOf(paying!, 'failed', 131042)]))).status).toBe(200);
    expect(await ended(client, jobId)).toMatchObject({ status: 'Completed', successfullySent: COUNT, failed: 0 });
    await until(async () => (await detailOf(client, jobId)).undelivered === 2, 5000, 'both failures are counted');
  });
});
