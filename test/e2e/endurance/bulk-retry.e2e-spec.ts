import { addOptOut } from '../../../libs/client/generated/sdk.gen';
import type { BulkJobDetailDto } from '../../../libs/client/generated/types.gen';
import {
  control,
  detailOf,
  doubled,
  ended,
  newPhones,
  progressOf,
  recipientsOf,
  sendTo,
  settled,
} from '../../support/process/bulk';
import { Client } from '../../support/process/client';
import { Platform } from '../../support/process/platform';
import { type Service, startService } from '../../support/process/service';

/** Sandbox numbers: two refused immediately, and one accepted without a response. */
const [REFUSED, UNANSWERED, ALSO_REFUSED] = ['491528880002', '491528880005', '491528890002'];

describe('A retry of a job', () => {
  const fresh = newPhones();
  const others = fresh(20);
  let platform: Platform;
  let service: Service;
  let client: Client;
  let old: BulkJobDetailDto;

  beforeAll(async () => {
    platform = await Platform.start();
    service = await startService({
      platformUrl: platform.url,
      env: { PLATFORM_TIMEOUT_SECONDS: '1', UNKNOWN_GRACE_SECONDS: '1' },
    });
    client = new Client(service);
    await client.messaging().call(addOptOut, { body: { phone: others[3]! } });
    const numbers = [...others, REFUSED, UNANSWERED, ALSO_REFUSED, '12'];
    const jobId = await sendTo(client, numbers, { reference: 'spring', validForSeconds: 3600 });
    old = await ended(client, jobId, 55_000);
  }, 60_000);

  afterAll(async () => {
    await service?.stop();
    await service?.store.drop();
    await platform?.close();
  });

  const retry = (jobId: string, body?: object, headers: Record<string, string> = {}) =>
    client.post(`/bulk-jobs/${jobId}/retry`, body, { headers });
  const numbersOf = async (jobId: string) => (await recipientsOf(client, jobId)).map(({ phone }) => phone);

  it('is offered by a job with failed recipients, and by no running one', async () => {
    expect(old).toMatchObject({ status: 'Completed', failed: 5, invalidRows: 1, skipped: 1, unknown: 1 });
    expect(old).toMatchObject({ allowedActions: ['retry'], retryOf: null });
    const running = await sendTo(client, fresh(1000));
    const refused = await retry(running);
    expect([refused.status, refused.body.code]).toEqual([409, 'invalid_job_state']);
    expect(refused.body).toMatchObject({ statusCode: 409, allowedActions: ['pause', 'cancel'] });
    expect((await detailOf(client, running)).allowedActions).toEqual(['pause', 'cancel']);
    await control(client, 'cancel', running);
    await ended(client, running);
  });

  it('sends again to failed recipients, in a new job that names the old one', async () => {
    const accepted = await platform.ledger();
    const answer = await retry(old.jobId, { scope: 'failed' });
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({ retryOf: old.jobId, status: 'Queued', totalRecipients: 2, invalidRows: 0 });
    expect(answer.headers.get('location')).toBe(answer.body.statusUrl);
    const job = await ended(client, answer.body.jobId as string, 55_000);
    expect(job).toMatchObject({ retryOf: old.jobId, reference: 'spring', successfullySent: 0, failed: 2 });
    expect(await numbersOf(job.jobId)).toEqual([REFUSED, ALSO_REFUSED]);
    expect(await platform.ledger()).toHaveLength(accepted.length);
    expect(await detailOf(client, old.jobId)).toEqual(old);
  });

  it('sends again to unknown recipients on request', async () => {
    const before = (await platform.accepted()).filter((to) => to === UNANSWERED).length;
    const { body } = await retry(old.jobId, { scope: 'unknown' });
    await ended(client, body.jobId as string);
    expect(await numbersOf(body.jobId as string)).toEqual([UNANSWERED]);
    expect((await platform.accepted()).filter((to) => to === UNANSWERED)).toHaveLength(before + 1);
  });

  it('includes only the given codes', async () => {
    const { body } = await retry(old.jobId, { scope: 'all', errorCodes: ['outcome_unknown'] });
    expect(await numbersOf(body.jobId as string)).toEqual([UNANSWERED]);
    const empty = await retry(old.jobId, { errorCodes: ['phone_invalid'] });
    expect([empty.status, empty.body.code]).toEqual([422, 'nothing_to_retry']);
  });

  it('reaches everyone omitted by a cancelled job, and no one twice', async () => {
    const numbers = fresh(1500);
    const jobId = await sendTo(client, numbers);
    await settled(client, jobId, 200);
    await control(client, 'cancel', jobId);
    const cancelled = await ended(client, jobId);
    const { body } = await retry(jobId, { scope: 'failed' });
    expect(body.totalRecipients).toBe(1500 - cancelled.successfullySent);
    const second = await ended(client, body.jobId as string);
    // On a busy machine a response may take longer than the second that the service waits.
    expect(second).toMatchObject({ status: 'Completed', failed: second.unknown, validUntil: null });
    const wanted = new Set(numbers);
    const reached = (await platform.accepted()).filter((to) => wanted.has(to));
    expect(reached.sort()).toEqual([...numbers].sort());
    expect(doubled(reached)).toEqual([]);
    expect(await progressOf(client, jobId)).toMatchObject({
      status: 'Cancelled',
      failed: body.totalRecipients as number,
    });
  });

  it('with an Idempotency-Key creates one job, and needs the scope jobs:manage', async () => {
    const first = await retry(old.jobId, undefined, { 'idempotency-key': 'retry-e2e' });
    const again = await retry(old.jobId, { scope: 'failed' }, { 'idempotency-key': 'retry-e2e' });
    expect([first.status, again.status, again.body.jobId]).toEqual([202, 202, first.body.jobId]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const { body } = await client.post('/api-keys', { name: 'reader', scopes: ['messaging:send', 'jobs:read'] });
    const refused = await client.post(`/bulk-jobs/${old.jobId}/retry`, {}, { key: body.key as string });
    expect([refused.status, refused.body.requiredScope]).toEqual([403, 'jobs:manage']);
  });
});
