import type { BulkJobDetailDto } from '../../../libs/client/generated/types.gen';
import { ended, phone, recipientsOf, sendTo, detailOf } from '../../support/process/bulk';
import { Client } from '../../support/process/client';
import { expectError } from '../../support/process/errors';
import { Platform } from '../../support/process/platform';
import { type Service, startService, until } from '../../support/process/service';
import { freePort } from '../../support/free-port';
import { FIRST_SENDER, postWebhook, reportOf, signatureOf, statusOf } from '../../support/process/webhook';

const ACCOUNT = FIRST_SENDER.businessAccountId;
const OTHER_SECRET = 'the-secret-of-somebody-else';

describe('What the platform reports', () => {
  let platform: Platform;
  let service: Service;
  let client: Client;
  let next = 0;

  beforeAll(async () => {
    platform = await Platform.start({ statusDelayMs: 20 });
    const port = await freePort();
    service = await startService({
      platformUrl: platform.url,
      env: {
        PORT: String(port),
        PUBLIC_URL: `http://127.0.0.1:${port}/`,
        // A request that is never answered: long before this the status has come.
        PLATFORM_TIMEOUT_SECONDS: '3',
        UNKNOWN_GRACE_SECONDS: '600',
      },
    });
    client = new Client(service);
    await platform.subscribed();
  });

  afterAll(async () => {
    await service?.stop();
    await service?.store.drop();
    await platform?.close();
  });

  /** Reports these statuses, signed with the secret of the sender or with another. */
  function report(statuses: object[], { appSecret, ...of }: Partial<typeof FIRST_SENDER> = {}) {
    const body = reportOf(statuses, of);
    return postWebhook(service, body, signatureOf(body, appSecret));
  }

  /** A job to numbers that nothing special happens to, without statuses of the sandbox; what it accepted. */
  async function quietJob(count: number) {
    await platform.configure({ statuses: false });
    const numbers = Array.from({ length: count }, () => phone(next++));
    const before = (await platform.ledger()).length;
    const jobId = await sendTo(client, numbers);
    await ended(client, jobId);
    await platform.configure({ statuses: true });
    return { jobId, accepted: await platform.ledger(before) };
  }

  const untilDetail = async (jobId: string, counts: Partial<BulkJobDetailDto>) => {
    const isThere = async () => {
      const detail = await detailOf(client, jobId);
      return Object.entries(counts).every(([name, value]) => detail[name as keyof typeof detail] === value);
    };
    await until(isThere, 20_000, `job ${jobId} shows ${JSON.stringify(counts)}`);
  };

  it('comes to the address of PUBLIC_URL', async () => {
    expect(await platform.subscriptions(ACCOUNT)).toMatchObject([
      { override_callback_uri: `${service.url}/webhooks/platform` },
    ]);
  });

  it('brings every recipient of a job to its end: delivered, read, not delivered, and unknown ones to sent', async () => {
    const plain = Array.from({ length: 30 }, () => phone(next++));
    const special = ['4915199990001', '4915199990003', '4915199990005', '4915199990006'];
    const jobId = await sendTo(client, [...plain, ...special]);
    const detail = await ended(client, jobId);

    expect(detail).toMatchObject({ status: 'Completed', totalRecipients: 34, successfullySent: 34, failed: 0 });
    expect(detail.unknown).toBe(0);
    await untilDetail(jobId, { delivered: 32, undelivered: 1 });
    const counted = await detailOf(client, jobId);
    expect(counted.read).toBeGreaterThan(5);
    expect(counted).toMatchObject({ successfullySent: 34, failed: 0 });

    const recipients = await recipientsOf(client, jobId);
    const byPhone = new Map(recipients.map((recipient) => [recipient.phone, recipient]));
    expect(byPhone.get('4915199990001')).toMatchObject({ status: 'Sent', errorCode: null });
    expect(byPhone.get('4915199990003')).toMatchObject({
      status: 'Undelivered',
      errorCode: 'recipient_unreachable',
      platformCode: 131026,
    });
    for (const settled of ['4915199990005', '4915199990006']) {
      expect(byPhone.get(settled)).toMatchObject({ status: 'Delivered', errorCode: null, attempts: 1 });
      expect(byPhone.get(settled)?.platformMessageId).toMatch(/^wamid\./);
    }
    const statuses = plain.map((number) => byPhone.get(number)?.status);
    expect(new Set(statuses)).toEqual(new Set(['Delivered', 'Read']));
    expect(statuses.filter((status) => status === 'Read')).toHaveLength(counted.read);

    const sentTo = (await platform.accepted()).map((to) => to.replace('+', ''));
    for (const number of [...plain, ...special]) expect(sentTo.filter((to) => to === number)).toHaveLength(1);
  });

  it('is found again in the list of recipients by status and by error code', async () => {
    const { jobId, accepted } = await quietJob(4);
    const [first, second, third] = accepted as [(typeof accepted)[0], (typeof accepted)[0], (typeof accepted)[0]];
    await report([statusOf(first, 'delivered'), statusOf(second, 'read'), statusOf(third, 'failed')]);
    await untilDetail(jobId, { delivered: 2, read: 1, undelivered: 1 });
    const numbersOf = async (filter: Parameters<typeof recipientsOf>[2]) =>
      (await recipientsOf(client, jobId, filter)).map((recipient) => recipient.phone);

    expect(await numbersOf({ status: 'Delivered' })).toEqual([first.to.replace('+', '')]);
    expect(await numbersOf({ status: 'Read' })).toEqual([second.to.replace('+', '')]);
    expect(await numbersOf({ status: 'Undelivered' })).toEqual([third.to.replace('+', '')]);
    expect(await numbersOf({ errorCode: 'recipient_unreachable' })).toEqual([third.to.replace('+', '')]);
    expect(await numbersOf({ status: 'Sent' })).toHaveLength(1);
  });

  it('counts once when repeated and in any order, with or without callback data', async () => {
    const { jobId, accepted } = await quietJob(3);
    const withoutCallback = accepted.map(({ messageId }) => ({ messageId }));
    const answers = await Promise.all([
      report(accepted.map((one) => statusOf(one, 'read'))),
      report(withoutCallback.map((one) => statusOf(one, 'delivered'))),
      report(withoutCallback.map((one) => statusOf(one, 'read'))),
      report(accepted.map((one) => statusOf(one, 'sent'))),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await untilDetail(jobId, { delivered: 3, read: 3 });
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect(await detailOf(client, jobId)).toMatchObject({ delivered: 3, read: 3, undelivered: 0, successfullySent: 3 });
  });

  it('may be 1,000 statuses in one body', async () => {
    const { jobId, accepted } = await quietJob(1000);
    expect(accepted).toHaveLength(1000);

    expect((await report(accepted.map((one) => statusOf(one, 'delivered')))).status).toBe(200);
    await untilDetail(jobId, { delivered: 1000 });
  });

  it('is not believed without a right signature', async () => {
    const answer = await report([], { appSecret: 'a guess' });
    const body = await answer.json();

    expectError({ status: answer.status, headers: answer.headers, body }, 401, 'invalid_signature');
  });

  it('is not believed about an account whose secret is another', async () => {
    const other = { phoneNumberId: '700000000000999', businessAccountId: '800000000000999' };
    await platform.configure({ senders: [{ ...other, appSecret: OTHER_SECRET }] });
    const account = await client.post('/accounts', {
      name: 'Another account',
      plan: 'Pro',
      sender: { ...other, appSecret: OTHER_SECRET },
    });
    expect(account.status).toBe(201);
    await until(
      async () => (await platform.subscriptions(other.businessAccountId)).length > 0,
      20_000,
      'the new account is subscribed',
    );

    const { jobId, accepted } = await quietJob(2);
    const [first, second] = accepted as [(typeof accepted)[0], (typeof accepted)[0]];
    const forged = [
      await report([statusOf(first, 'read')], { appSecret: OTHER_SECRET }),
      await report([statusOf(first, 'read')], {
        appSecret: OTHER_SECRET,
        businessAccountId: other.businessAccountId,
        phoneNumberId: other.phoneNumberId,
      }),
      await report([statusOf(first, 'read')], { appSecret: OTHER_SECRET, businessAccountId: other.businessAccountId }),
      await report([{ ...statusOf(first, 'read'), biz_opaque_callback_data: undefined }], {
        appSecret: OTHER_SECRET,
        businessAccountId: other.businessAccountId,
        phoneNumberId: other.phoneNumberId,
      }),
    ];
    expect(forged.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await report([statusOf(second, 'read')]);

    await untilDetail(jobId, { delivered: 1, read: 1 });
    const recipients = await recipientsOf(client, jobId);
    expect(recipients.map(({ platformMessageId, status }) => [platformMessageId, status])).toEqual(
      expect.arrayContaining([
        [first.messageId, 'Sent'],
        [second.messageId, 'Read'],
      ]),
    );
  });
});

describe('With the built-in sandbox', () => {
  it('the service receives the statuses of its messages without any setting', async () => {
    const service = await startService({});
    try {
      const client = new Client(service);
      await until(
        () => Promise.resolve(service.log.some((line) => line.includes('The platform reports on business account'))),
        20_000,
        'the account is subscribed',
      );
      const jobId = await sendTo(client, [phone(1), phone(2)]);

      const isDelivered = async () => (await detailOf(client, jobId)).delivered === 2;
      await until(isDelivered, 20_000, 'both are delivered');
    } finally {
      await service.stop();
      await service.store.drop();
    }
  });
});
