import {
  groupOf,
  control,
  detailOf,
  ended,
  phones,
  progressOf,
  recipientsOf,
  sendTo,
} from '../../support/process/bulk';
import { Client } from '../../support/process/client';
import { Platform } from '../../support/process/platform';
import { type Service, startService, until } from '../../support/process/service';

const PACE = 50;

describe('A job with a validity', () => {
  let platform: Platform;
  let service: Service;
  let client: Client;

  beforeAll(async () => {
    platform = await Platform.start();
    service = await startService({ platformUrl: platform.url, env: { MESSAGES_PER_SECOND: String(PACE) } });
    client = new Client(service);
  });

  afterAll(async () => {
    await service?.stop();
    await service?.store.drop();
    await platform?.close();
  });

  const expired = async (jobId: string) => (await recipientsOf(client, jobId, { errorCode: 'expired' })).length;

  it('fails unsent recipients at its end, and counts everyone once', async () => {
    const jobId = await sendTo(client, phones(2000), { validForSeconds: 3 });
    const { createdAt, validUntil } = await detailOf(client, jobId);
    expect(Date.parse(validUntil!) - Date.parse(createdAt)).toBe(3000);

    const job = await ended(client, jobId, 10_000);
    expect(job).toMatchObject({ status: 'Completed', progressPercentage: 100, pending: 0 });
    expect(job.successfullySent).toBeGreaterThan(20);
    expect(job.failed).toBe(2000 - job.successfullySent);
    expect(await expired(jobId)).toBe(job.failed);
    const accepted = await platform.ledger();
    expect(accepted).toHaveLength(job.successfullySent);
    const lastAt = Date.parse(accepted.at(-1)!.at);
    expect(lastAt).toBeLessThan(Date.parse(validUntil!) + 1000);
    // Requests may be late on a busy machine, but never exceed the pace.
    expect(accepted.length).toBeLessThanOrEqual(1 + (PACE * (lastAt - Date.parse(createdAt))) / 1000);

    const retried = await client.messaging().retryJob(jobId, { errorCodes: ['expired'] });
    expect(retried.totalRecipients).toBe(job.failed);
  });

  it('keeps its recipients while paused, and fails them if resumed too late', async () => {
    const jobId = await sendTo(client, phones(500), { validForSeconds: 2 });
    await control(client, 'pause', jobId);
    const { validUntil } = await detailOf(client, jobId);
    await until(() => Promise.resolve(Date.now() > Date.parse(validUntil!) + 1500), 5000, 'the time is over');
    const paused = await progressOf(client, jobId);
    expect(paused).toMatchObject({ status: 'Paused', failed: 0 });

    await control(client, 'resume', jobId);
    const job = await ended(client, jobId, 10_000);
    expect(await expired(jobId)).toBe(500 - job.successfullySent);
  });

  it('of a group ends the same way', async () => {
    const contacts = phones(600).map((phone) => ({ phone }));
    const groupId = await groupOf(client, 'VIP', contacts);
    const send = { groupId, templateName: 'hello_world', validForSeconds: 2 };
    const { jobId } = await client.messaging().sendToGroup(send);
    const job = await ended(client, jobId, 10_000);
    expect(await expired(job.jobId)).toBe(job.failed);
    expect(job.failed).toBeGreaterThan(300);
  });

  it.each([0, 2_592_001, '60', 1.5])('is rejected with validForSeconds %p', async (validForSeconds) => {
    const answer = await client.post('/send-template-to-group', {
      groupId: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a12',
      templateName: 'hello_world',
      validForSeconds,
    });
    expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed']);
    expect(answer.body.errors).toMatchObject([{ field: 'validForSeconds' }]);
  });

  it('has expired if the service was down at the time', async () => {
    const jobId = await sendTo(client, phones(800), { validForSeconds: 2 });
    const { store } = service;
    await service.kill();
    await until(() => Promise.resolve(false), 2500, 'the time is over').catch(() => undefined);
    service = await startService({ platformUrl: platform.url, store, env: { UNKNOWN_GRACE_SECONDS: '1' } });
    client = new Client(service);
    const job = await ended(client, jobId, 15_000);
    expect(job).toMatchObject({ status: 'Completed', totalRecipients: 800 });
    expect(job.successfullySent + job.failed).toBe(800);
    expect(await expired(jobId)).toBeGreaterThan(500);
  });
});
