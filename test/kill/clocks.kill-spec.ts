import { join } from 'node:path';
import { anotherAccount } from '../support/process/accounts';
import { detailOf, ended, groupOf, phones, recipientsOf, sendTo } from '../support/process/bulk';
import { Platform } from '../support/process/platform';
import { until } from '../support/process/service';
import { Deployment } from './support/deployment';

const FIVE_MINUTES_MS = 300_000;
const SHIFTED_CLOCK = join(__dirname, '../support/process/shifted-clock.cjs');
/** What the start of a scheduled job and its first request may take on a busy machine. */
const STARTS_WITHIN_MS = 4000;

const shifted = (ms: number) => ({ NODE_OPTIONS: `--require ${SHIFTED_CLOCK}`, CLOCK_SHIFT_MS: String(ms) });

describe('APIs and workers whose clocks are five minutes ahead and behind', () => {
  let platform: Platform;
  let deployment: Deployment;

  beforeAll(async () => {
    platform = await Platform.spawn({ autoCreateSenders: true });
    const clocks = [shifted(FIVE_MINUTES_MS), shifted(-FIVE_MINUTES_MS)];
    deployment = await Deployment.start({ platform, apis: 2, workers: 2, envOf: (_role, n) => clocks[n]! });
  });

  afterAll(async () => {
    await deployment?.close();
    await platform.close();
  });

  const departures = async (numbers: readonly string[]) =>
    (await platform.ledger()).filter(({ to }) => numbers.includes(to)).map(({ at }) => Date.parse(at));

  it.each([0, 1])('start a scheduled job at its moment: API %i', async (api) => {
    const numbers = phones(5, 100 + api * 10);
    const client = deployment.client(api);
    const moment = Date.now() + 7000;
    const jobId = await sendTo(client, numbers, { scheduledAt: new Date(moment).toISOString() });
    expect(await detailOf(client, jobId)).toMatchObject({ status: 'Scheduled' });
    await ended(client, jobId);
    const [first] = (await departures(numbers)).sort();
    expect(first).toBeGreaterThanOrEqual(moment);
    expect(first).toBeLessThan(moment + STARTS_WITHIN_MS);
  });

  it.each([0, 1])('send a queued message as soon as the pace allows: API %i', async (api) => {
    const { key } = await anotherAccount(deployment.client(api), { messagesPerSecond: 1 });
    const numbers = phones(4, 200 + api * 10);
    const sends = numbers.map((to) =>
      deployment.client(api).post('/send-template', { to, templateName: 'hello_world' }, { key }),
    );
    expect((await Promise.all(sends)).map(({ status }) => status)).toContain(202);
    await until(async () => (await departures(numbers)).length === 4, 20_000, 'all four have left');
  });

  it('erase a person from a job that waits, whichever API made it and whichever is asked', async () => {
    for (const [maker, asked] of [
      [0, 1],
      [1, 0],
      [0, 0],
    ] as const) {
      const [person, other] = phones(2, 300 + maker * 20 + asked * 10);
      const groupId = await groupOf(deployment.client(maker), `erased ${maker} ${asked}`, [
        { phone: person! },
        { phone: other! },
      ]);
      const body = { groupId, templateName: 'hello_world', hold: true };
      const made = await deployment.client(maker).post('/send-template-to-group', body);
      const jobId = made.body.jobId as string;
      const found = await deployment.client(asked).get(`/contacts?phone=${person}`);
      const [contact] = found.body.items as { id: string }[];
      const { status } = await deployment.client(asked).call('DELETE', `/contacts/${contact!.id}?erase=true`);
      expect([202, 204]).toContain(status);
      await deployment.client(asked).post(`/bulk-jobs/${jobId}/resume`);
      await ended(deployment.client(asked), jobId);
      expect(await departures([person!])).toEqual([]);
      const recipients = await recipientsOf(deployment.client(asked), jobId);
      expect(recipients.map(({ errorCode }) => errorCode).sort()).toEqual([null, 'recipient_erased'].sort());
    }
  });
});
