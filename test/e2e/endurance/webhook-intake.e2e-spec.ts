import * as operations from '../../../libs/client/generated/sdk.gen';
import type { CreateApiKeyDto } from '../../../libs/client/generated/types.gen';
import { anotherAccount } from '../../support/process/accounts';
import { detailOf, ended, phones, recipientsOf, sendTo } from '../../support/process/bulk';
import { Client } from '../../support/process/client';
import { expectError } from '../../support/process/errors';
import { figuresOf } from '../../support/process/figures';
import { type Accepted, Platform } from '../../support/process/platform';
import { newStore, type Service, startService, type Store, until } from '../../support/process/service';
import { bodyOf, FIRST_SENDER, postWebhook, reportOf, signatureOf, statusOf } from '../../support/process/webhook';

const MEGABYTE = 1024 * 1024;
/** As the platform's ids may be, and as no double can hold them. */
const LARGE = { phoneNumberId: '90071992547409931', businessAccountId: '90071992547409953' };

describe('The webhook of the platform', () => {
  let platform: Platform;
  let store: Store;
  let service: Service;
  let client: Client;
  let next = 0;

  beforeAll(async () => {
    platform = await Platform.start({ statuses: false, autoCreateSenders: true });
    store = await newStore();
    await start();
  });

  afterAll(async () => {
    await service?.stop();
    await store?.drop();
    await platform?.close();
  });

  async function start(): Promise<void> {
    service = await startService({ store, platformUrl: platform.url });
    client = new Client(service);
  }

  /** A job that has sent to so many numbers, and what the platform accepted of it. */
  async function sentJob(count: number, key?: string): Promise<{ jobId: string; accepted: Accepted[] }> {
    const numbers = phones(count, (next += count) - count);
    const before = (await platform.ledger()).length;
    const jobId = await sendTo(client, numbers, {}, key);
    await ended(client, jobId, 20_000, key);
    return { jobId, accepted: await platform.ledger(before) };
  }

  const statusesOf = async (jobId: string, key?: string) =>
    (await recipientsOf(client, jobId, {}, key)).map(({ status }) => status);
  const counted = async (result: string) =>
    (await figuresOf(service)).get(`messaging_webhook_updates_total{result="${result}"}`) ?? 0;
  const errorOf = async (response: Response) => ({
    status: response.status,
    headers: response.headers,
    body: await response.json(),
  });

  it('proves that it is ours by the bare challenge, and only to who knows the token', async () => {
    const verify = (token: string) =>
      fetch(
        `${service.url}/webhooks/platform?${new URLSearchParams({
          'hub.mode': 'subscribe',
          'hub.challenge': '1158201444',
          'hub.verify_token': token,
        }).toString()}`,
      );
    const proved = await verify('sandbox-verify-token');

    expect([proved.status, await proved.text()]).toEqual([200, '1158201444']);
    expect(proved.headers.get('content-type')).toMatch(/^text\/plain/);
    expectError(await errorOf(await verify('a guess')), 403, 'verification_failed');
  });

  it('believes nothing but the very bytes that were signed', async () => {
    const { jobId, accepted } = await sentJob(1);
    const body = reportOf(accepted.map((one) => statusOf(one, 'read')));

    for (const signature of [null, 'sha256=', signatureOf(body, 'a guess'), signatureOf(`${body} `)]) {
      expectError(await errorOf(await postWebhook(service, body, signature)), 401, 'invalid_signature');
    }
    expect(await statusesOf(jobId)).toEqual(['Sent']);
    expect((await figuresOf(service)).get('messaging_webhook_refused_total')).toBe(4);
  });

  it('takes bodies of 3 MB, and none above 4 MB', async () => {
    const { jobId, accepted } = await sentJob(1);
    const padded = (bytes: number) => {
      const body = reportOf(accepted.map((one) => statusOf(one, 'delivered')));
      return `${body.slice(0, -1)},"rest":"${'x'.repeat(bytes - body.length - 10)}"}`;
    };
    const tooLong = await postWebhook(service, padded(4 * MEGABYTE + 1));

    expect(tooLong.status).toBe(413);
    expect(await statusesOf(jobId)).toEqual(['Sent']);
    expect((await postWebhook(service, padded(3 * MEGABYTE))).status).toBe(200);
    expect(await statusesOf(jobId)).toEqual(['Delivered']);
  });

  it('has written what it answered 200 to, even when it is killed at that moment', async () => {
    const { jobId, accepted } = await sentJob(300);
    const answer = await postWebhook(service, reportOf(accepted.map((one) => statusOf(one, 'delivered'))));
    await service.kill();
    expect(answer.status).toBe(200);

    await start();
    expect(new Set(await statusesOf(jobId))).toEqual(new Set(['Delivered']));
    await until(async () => (await detailOf(client, jobId)).delivered === 300, 10_000, 'all are counted');
  });

  it('takes statuses in any order and any number, and ends where the platform does', async () => {
    const { jobId, accepted } = await sentJob(2);
    const [first, second] = accepted as [Accepted, Accepted];
    const inWrongOrder = [
      [statusOf(first, 'read'), statusOf(second, 'delivered')],
      [statusOf(first, 'read'), statusOf(second, 'failed')],
      [statusOf(first, 'delivered'), statusOf(second, 'sent')],
      [statusOf(first, 'sent'), statusOf(second, 'delivered'), statusOf(first, 'failed')],
    ];
    for (const statuses of inWrongOrder) {
      expect((await postWebhook(service, reportOf(statuses))).status).toBe(200);
    }

    expect((await statusesOf(jobId)).sort()).toEqual(['Delivered', 'Read']);
    await until(async () => (await detailOf(client, jobId)).delivered === 2, 10_000, 'both are counted');
    expect(await detailOf(client, jobId)).toMatchObject({ delivered: 2, read: 1, undelivered: 0 });
  });

  it('applies all else in a body whose other updates cannot be used', async () => {
    const { jobId, accepted } = await sentJob(1);
    const [one] = accepted as [Accepted];
    const unusable = [
      { ...statusOf(one, 'read'), id: undefined },
      { ...statusOf(one, 'read'), id: 'w'.repeat(4000) },
      statusOf(one, 'levitated'),
      statusOf({ messageId: 'wamid.\u0000nobody', callbackData: '\u0000' }, 'read'),
      statusOf({ messageId: 'wamid.elsewhere', callbackData: `${'0'.repeat(8)}.1.x.99999999999` }, 'failed', 1e300),
      null,
      7,
    ];
    const answer = await postWebhook(service, reportOf([...unusable, statusOf(one, 'delivered')] as object[]));

    expect(answer.status).toBe(200);
    expect(await statusesOf(jobId)).toEqual(['Delivered']);
  });

  it('parks a body that is signed well and not JSON, so that the platform does not repeat it for days', async () => {
    const before = await counted('parked');

    expect((await postWebhook(service, '{"object":"whatsapp_business_account","entry":[{')).status).toBe(200);
    expect(await counted('parked')).toBe(before + 1);
    expect(service.log.some((line) => line.includes('parked in parked_updates'))).toBe(true);
  });

  it('answers 200 to kinds that it does not know, and counts them', async () => {
    const before = await counted('ignored');
    const changes = [
      { field: 'flows', value: { event: 'FLOW_STATUS_CHANGE' } },
      { field: 'something_of_next_year', value: [1, 2] },
      { field: 'messages', value: { metadata: {}, messages: [{ id: 'wamid.in', type: 'reaction' }] } },
    ];
    const answer = await postWebhook(service, bodyOf([{ id: FIRST_SENDER.businessAccountId, changes }]));

    expect(answer.status).toBe(200);
    expect(await counted('ignored')).toBe(before + 3);
  });

  it('knows ids that no double can hold, whether they come as text or as numbers', async () => {
    const body = { name: 'Large ids', plan: 'Pro', sender: LARGE };
    const { id } = await client.messaging().call(operations.createAccount, { body });
    const issued = {
      name: 'tests',
      scopes: ['messaging:send', 'templates:manage', 'jobs:manage'] satisfies CreateApiKeyDto['scopes'],
    };
    const input = { path: { accountId: id }, body: issued };
    const { key } = await client.messaging().call(operations.createAccountApiKey, input);
    await client.messaging(key).call(operations.syncTemplates, {});
    const { jobId, accepted } = await sentJob(2, key);
    expect(accepted.map(({ phoneNumberId }) => phoneNumberId)).toEqual([LARGE.phoneNumberId, LARGE.phoneNumberId]);
    const asText = reportOf([statusOf(accepted[0]!, 'read')], LARGE);
    const asNumbers = reportOf([statusOf(accepted[1]!, 'read')], LARGE)
      .replace(`"${LARGE.phoneNumberId}"`, LARGE.phoneNumberId)
      .replace(`"${LARGE.businessAccountId}"`, LARGE.businessAccountId);

    expect((await postWebhook(service, asText)).status).toBe(200);
    expect((await postWebhook(service, asNumbers)).status).toBe(200);
    expect(await statusesOf(jobId, key)).toEqual(['Read', 'Read']);
  });

  it('serves accounts with secrets of their own, each by its own', async () => {
    const quiet = await anotherAccount(client);
    const own = { phoneNumberId: quiet.phoneNumberId, businessAccountId: `8${quiet.phoneNumberId.slice(1)}` };
    const appSecret = 'the-secret-of-this-account-alone';
    await platform.configure({ senders: [{ ...own, appSecret }] });
    const changed = await client.call('PATCH', `/accounts/${quiet.id}`, { body: { sender: { appSecret } } });
    expect(changed.status).toBe(200);
    const theirs = await sentJob(1, quiet.key);
    const ours = await sentJob(1);
    const body = reportOf([statusOf(theirs.accepted[0]!, 'read')], own);
    const shown = async () => [...(await statusesOf(theirs.jobId, quiet.key)), ...(await statusesOf(ours.jobId))];
    const dropped = await counted('dropped');

    expect((await postWebhook(service, body)).status).toBe(200);
    expect(await shown()).toEqual(['Sent', 'Sent']);
    expect(await counted('dropped')).toBe(dropped + 1);
    expect((await postWebhook(service, body, signatureOf(body, appSecret))).status).toBe(200);
    expect(await shown()).toEqual(['Read', 'Sent']);
    expect((await postWebhook(service, reportOf([statusOf(ours.accepted[0]!, 'read')]))).status).toBe(200);
    expect(await shown()).toEqual(['Read', 'Read']);
  });
});
