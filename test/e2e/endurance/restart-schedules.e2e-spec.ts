import { detailOf, doubled, ended, listOf, newPhones, progressOf } from '../../support/process/bulk';
import { Client } from '../../support/process/client';
import { Platform } from '../../support/process/platform';
import { newStore, type Service, startService, type Store, until } from '../../support/process/service';

const RECIPIENTS = 120;
/** Long enough that the service is killed before, even on a busy machine. */
const SCHEDULED_IN_MS = 20_000;
const MINUTE_MS = 60_000;
const DAY_MINUTES = 1440;

/** The UTC time of day of a moment. */
const clockAt = (moment: number) => new Date(moment).toISOString().slice(11, 16);

describe('A service killed before a job may send', () => {
  let platform: Platform;
  let store: Store;
  let service: Service;
  let client: Client;
  const fresh = newPhones();

  const start = async () => {
    service = await startService({ store, platformUrl: platform.url, env: { MESSAGES_PER_SECOND: '200' } });
    client = new Client(service);
  };
  const upload = async (numbers: readonly string[], fields: object): Promise<string> => {
    const { status, body } = await client.upload(listOf(numbers), { templateName: 'hello_world', ...fields });
    expect(status).toBe(202);
    return body.jobId as string;
  };
  const acceptedOf = async (jobId: string) =>
    (await platform.ledger()).filter(({ callbackData }) => callbackData.includes(jobId)).map(({ to }) => to);

  beforeAll(async () => {
    platform = await Platform.start();
    store = await newStore();
    await start();
  });

  afterAll(async () => {
    await service?.stop();
    await store?.drop();
    await platform?.close();
  });

  it('starts it once if its time passes while nothing runs, and sends once to everyone', async () => {
    const [past, future] = [fresh(RECIPIENTS), fresh(1)];
    const moment = Date.now() + SCHEDULED_IN_MS;
    const due = await upload(past, { scheduledAt: new Date(moment).toISOString() });
    const later = await upload(future, { scheduledAt: new Date(moment + 3_600_000).toISOString() });
    await service.kill();
    await until(() => Promise.resolve(Date.now() > moment), SCHEDULED_IN_MS + 5000, 'its time has passed');
    expect(await acceptedOf(due)).toEqual([]);

    await start();
    await ended(client, due);
    expect(await progressOf(client, due)).toMatchObject({
      status: 'Completed',
      successfullySent: RECIPIENTS,
      failed: 0,
    });
    expect(Date.parse((await detailOf(client, due)).startedAt!)).toBeGreaterThanOrEqual(moment);
    expect((await acceptedOf(due)).sort()).toEqual([...past].sort());
    expect(await detailOf(client, later)).toMatchObject({ status: 'Scheduled', startedAt: null });
    expect(await acceptedOf(later)).toEqual([]);
  });

  it('starts it once if killed repeatedly at that time', async () => {
    const numbers = fresh(RECIPIENTS);
    const moment = Date.now() + 4000;
    const job = await upload(numbers, { scheduledAt: new Date(moment).toISOString() });
    for (const afterMs of [-100, 200]) {
      await until(() => Promise.resolve(Date.now() > moment + afterMs), 10_000, 'its time is reached');
      await service.kill();
      await start();
    }
    await ended(client, job);
    const accepted = await acceptedOf(job);
    expect(doubled(accepted)).toEqual([]);
    const { successfullySent, unknown } = await detailOf(client, job);
    expect(accepted.length).toBeGreaterThanOrEqual(successfullySent);
    expect(successfullySent + unknown).toBe(RECIPIENTS);
  });

  it('lets it wait for its send window across a restart', async () => {
    const now = Date.now();
    // Open for one minute, ten minutes ago, and again in a day.
    const closed = { from: clockAt(now - 10 * MINUTE_MS), until: clockAt(now - 9 * MINUTE_MS), timeZone: 'UTC' };
    // Closed for one minute, in half a day.
    const open = { from: clockAt(now + (DAY_MINUTES / 2) * MINUTE_MS), timeZone: 'UTC' };
    const window = { ...open, until: clockAt(now + (DAY_MINUTES / 2 - 1) * MINUTE_MS) };
    const [waiting, sending] = [
      await upload(fresh(RECIPIENTS), { sendWindow: JSON.stringify(closed) }),
      await upload(fresh(RECIPIENTS), { sendWindow: JSON.stringify(window) }),
    ];
    await service.kill();
    await start();
    await ended(client, sending);
    expect(await progressOf(client, sending)).toMatchObject({ status: 'Completed', successfullySent: RECIPIENTS });
    expect(await detailOf(client, waiting)).toMatchObject({ status: 'Queued', throttled: { reason: 'send_window' } });
    expect(await acceptedOf(waiting)).toEqual([]);

    await client.post(`/bulk-jobs/${waiting}/pause`);
    const changed = await client.call('PATCH', `/bulk-jobs/${waiting}`, { body: { sendWindow: null } });
    expect(changed.status).toBe(200);
    await client.post(`/bulk-jobs/${waiting}/resume`);
    await ended(client, waiting);
    expect(doubled(await acceptedOf(waiting))).toEqual([]);
    expect(await acceptedOf(waiting)).toHaveLength(RECIPIENTS);
  });
});
