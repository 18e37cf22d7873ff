import type { BulkJobDetailDto, JobRecipientDto } from '../../libs/client/generated/types.gen';
import type { SeededRandom } from '../../libs/platform-sandbox/traffic/seeded-random';
import { doubled, ended, phones, recipientsOf, sendTo } from '../support/process/bulk';
import { Client } from '../support/process/client';
import { Platform } from '../support/process/platform';
import type { Store } from '../support/process/service';
import { repetitions } from '../support/repetitions';
import { embeddedStore, KillableService, pause, newRandom } from './processes';

const KILLS = repetitions(4, 10);
const RECIPIENTS = 600;
const PACE = 300;
/** More than a process has in flight at this pace and latency. */
const MOST_FLIGHTS = 256;
const ENV = { MESSAGES_PER_SECOND: String(PACE), PLATFORM_TIMEOUT_SECONDS: '2', UNKNOWN_GRACE_SECONDS: '3' };
/** The platform's faults meanwhile. */
const FAULTS = {
  cutBefore: 0.003,
  cutAfterAccept: 0.003,
  html502AfterAccept: 0.003,
  throttle: 0.01,
  error131000: 0.003,
};

const MEDIA = 'https://media.example';

/** What the platform must receive for a person, by number or user id. */
interface Expected {
  to: string;
  parameters: string[];
  link?: string;
  payloads?: Record<string, string>;
}

interface Sent {
  jobId: string;
  people: Expected[];
}

describe('Jobs of the embedded service, which is killed at random moments', () => {
  let platform: Platform;
  let store: Store;
  let service: KillableService;
  let random: SeededRandom;
  let sent: Sent[];
  let next = 0;

  beforeEach(async () => {
    platform = await Platform.spawn({ latencyMs: 40, latencyJitterMs: 120, faults: FAULTS });
    store = await embeddedStore();
    service = new KillableService({ store, platformUrl: platform.url, env: ENV });
    sent = [];
  });

  afterEach(async () => {
    await service.stop();
    await store.drop();
    await platform.close();
  });

  async function sendJob(): Promise<void> {
    const client = new Client(service.running);
    const numbers = phones(RECIPIENTS, (next += RECIPIENTS) - RECIPIENTS);
    if (sent.length % 2 === 0) return void sent.push(await sendPersonal(client, numbers));
    const people = numbers.map((to) => ({ to, parameters: [] }));
    sent.push({ jobId: await sendTo(client, numbers), people });
  }

  /** Sends to people by number and by user id, each with their own value, most also with media and payloads. */
  async function sendPersonal(client: Client, numbers: readonly string[]): Promise<Sent> {
    const people = numbers.map((number, index): Expected => ({
      to: index % 5 > 0 ? number : `DE.${number}`,
      parameters: [`Mira ${index}`],
      link: index % 3 > 0 ? `${MEDIA}/${number}.png` : `${MEDIA}/job.png`,
      ...(index % 4 > 0 && { payloads: { 0: number } }),
    }));
    const recipients = people.map(({ link, parameters, payloads, to }) => ({
      ...(to.startsWith('DE.') ? { userId: to } : { to }),
      templateParameters: parameters.map((text) => ({ text })),
      ...(link !== `${MEDIA}/job.png` && { headerMediaUrl: link }),
      ...(payloads && { quickReplyPayloads: payloads }),
    }));
    const job = { templateName: 'summer_sale', languageCode: 'en_US', headerMediaUrl: `${MEDIA}/job.png` };
    const { status, body } = await client.post('/bulk-jobs', { ...job, recipients });
    expect([status, body]).toEqual([202, expect.objectContaining({ totalRecipients: RECIPIENTS })]);
    return { jobId: (body as { jobId: string }).jobId, people };
  }

  const between = (least: number, most: number) => least + Math.floor(random.next() * (most - least));

  /** Compares what the platform accepted with the outcome that the service reports for each recipient. */
  async function expectComplete(client: Client, job: BulkJobDetailDto, people: readonly Expected[]): Promise<number> {
    const entries = (await platform.ledger()).filter(({ callbackData }) => callbackData.includes(job.jobId));
    const accepted = entries.map(({ to }) => to);
    const recipients = await recipientsOf(client, job.jobId);
    const arrived = new Set(accepted);
    const having = (...statuses: string[]) => recipients.filter(({ status }) => statuses.includes(status));
    const keysOf = (some: JobRecipientDto[]) => some.map(({ phone, userId }) => phone ?? userId!);
    const sentOnes = having('Sent', 'Delivered', 'Read');
    const unknown = having('Unknown');
    const failed = having('Failed');

    expect(doubled(accepted)).toEqual([]);
    expect(keysOf(recipients)).toEqual(people.map(({ to }) => to));
    expect(recipients.map(({ parameters }) => parameters)).toEqual(people.map(({ parameters }) => parameters));
    const expected = new Map(people.map((person) => [person.to, person]));
    const received = entries.map(({ header, parameters, payloads, to }): Expected => {
      const { link } = (header ?? {}) as { link?: string };
      return { to, parameters, ...(link && { link }), ...(payloads && { payloads }) };
    });
    expect(received).toEqual(accepted.map((to) => expected.get(to)));
    expect(keysOf(sentOnes).filter((to) => !arrived.has(to))).toEqual([]);
    expect(keysOf(failed).filter((to) => arrived.has(to))).toEqual([]);
    expect(sentOnes.length + unknown.length + failed.length).toBe(people.length);
    expect(job).toMatchObject({
      status: 'Completed',
      progressPercentage: 100,
      successfullySent: sentOnes.length,
      failed: unknown.length + failed.length,
      unknown: unknown.length,
    });
    // A throttle, a kill or an outage fails no recipient: only four errors of the recipient itself do.
    expect(failed.filter(({ platformCode }) => platformCode !== 131000)).toEqual([]);
    return unknown.length;
  }

  async function expectAllComplete(): Promise<void> {
    const client = new Client(service.running);
    let unknown = 0;
    for (const { jobId, people } of sent) {
      unknown += await expectComplete(client, await ended(client, jobId, 60_000), people);
    }
    const { faults } = await platform.stats();
    const lost = Object.values(faults).reduce((sum, count) => sum + count, 0);
    expect(unknown).toBeLessThanOrEqual(KILLS * MOST_FLIGHTS + lost);
  }

  it('end complete: no duplicates, no losses, counters equal to rows', async () => {
    random = newRandom('embedded');
    await service.start();
    for (let kill = 0; kill < KILLS; kill++) {
      if (kill % 3 === 0) await sendJob();
      await pause(between(100, 1500));
      await service.kill();
      await service.start();
    }
    await expectAllComplete();
  });
});
