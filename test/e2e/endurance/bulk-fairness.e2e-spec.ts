import { anotherAccount } from '../../support/process/accounts';
import { control, detailOf, ended, newPhones, phone, progressOf, sendTo, settled } from '../../support/process/bulk';
import { Client } from '../../support/process/client';
import { Platform } from '../../support/process/platform';
import { type Service, startService, until } from '../../support/process/service';

// Measures wall time: other load can only disturb a run, so one undisturbed run is sufficient.
jest.retryTimes(2, { logErrorsBeforeRetry: true });

const PACE = 80;

describe('Senders and their jobs', () => {
  let platform: Platform;
  let service: Service;
  let client: Client;

  beforeAll(async () => {
    platform = await Platform.spawn({ autoCreateSenders: true });
    service = await startService({ platformUrl: platform.url, env: { MESSAGES_PER_SECOND: String(PACE) } });
    client = new Client(service);
  });

  afterAll(async () => {
    await service?.stop();
    await service?.store.drop();
    await platform?.close();
  });

  const fresh = newPhones();

  it('take turns when they are jobs of one sender', async () => {
    const first = await sendTo(client, fresh(240));
    const second = await sendTo(client, fresh(80));
    await ended(client, second);
    const { successfullySent } = await progressOf(client, first);
    expect(successfullySent).toBeGreaterThan(40);
    expect(successfullySent).toBeLessThan(200);
    expect(await ended(client, first)).toMatchObject({ successfullySent: 240, failed: 0 });
  });

  it('let single messages go before a large job', async () => {
    const jobId = await sendTo(client, fresh(500));
    await settled(client, jobId, 40);
    for (let single = 0; single < 5; single++) {
      const to = phone(9_000_000 + single);
      const begun = performance.now();
      await client.messaging().sendTemplate({ to, templateName: 'hello_world' });
      await until(async () => (await platform.accepted()).includes(to), 1500, 'the single message is sent');
      expect(performance.now() - begun).toBeLessThan(1500);
    }
    expect((await detailOf(client, jobId)).status).toBe('Processing');
    await control(client, 'cancel', jobId);
    await ended(client, jobId);
  });

  it("are not delayed by another account's large job", async () => {
    const slow = await anotherAccount(client, { messagesPerSecond: 5 });
    const quick = await anotherAccount(client, { messagesPerSecond: 200 });
    const long = await sendTo(client, fresh(2000), {}, slow.key);
    const waiting = await sendTo(client, fresh(300));
    await settled(client, waiting, 10);
    const short = await sendTo(client, fresh(200), {}, quick.key);
    // The large job takes 400 s.
    await ended(client, short, 60_000, quick.key);
    expect((await progressOf(client, long, slow.key)).status).toBe('Processing');
    const { phoneNumbers } = await platform.stats();
    expect(phoneNumbers[slow.phoneNumberId]!.maxArrivalsPerSecond).toBeLessThanOrEqual(6);
    expect(await ended(client, waiting)).toMatchObject({ successfullySent: 300 });
    await control(client, 'cancel', long, slow.key);
  });
});
