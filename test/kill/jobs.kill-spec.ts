import type { BulkJobDetailDto, JobRecipientDto } from '../../libs/client/generated/types.gen';
import type { Dice } from '../../libs/platform-sandbox/traffic/dice';
import { doubled, ended, phones, recipientsOf, sendTo } from '../support/process/bulk';
import { Client } from '../support/process/client';
import { Platform } from '../support/process/platform';
import type { Store } from '../support/process/service';
import { embeddedStore, Mortal, pause, printedDice } from './processes';

const KILLS = 10;
const RECIPIENTS = 600;
const PACE = 300;
/** More than one process has claimed and not answered at this pace and latency. */
const MOST_FLIGHTS = 256;
const ENV = { MESSAGES_PER_SECOND: String(PACE), PLATFORM_TIMEOUT_SECONDS: '2', UNKNOWN_GRACE_SECONDS: '3' };
/** What goes wrong at the platform meanwhile. */
const FAULTS = {
  cutBefore: 0.003,
  cutAfterAccept: 0.003,
  html502AfterAccept: 0.003,
  throttle: 0.01,
  error131000: 0.003,
};

interface Sent {
  jobId: string;
  numbers: string[];
}

describe('Jobs of the embedded service, which is killed at random moments', () => {
  let platform: Platform;
  let store: Store;
  let service: Mortal;
  let dice: Dice;
  let sent: Sent[];
  let next = 0;

  beforeEach(async () => {
    platform = await Platform.spawn({ latencyMs: 40, latencyJitterMs: 120, faults: FAULTS });
    store = await embeddedStore();
    service = new Mortal({ store, platformUrl: platform.url, env: ENV });
    sent = [];
  });

  afterEach(async () => {
    await service.stop();
    await store.drop();
    await platform.close();
  });

  async function sendJob(): Promise<void> {
    const numbers = phones(RECIPIENTS, (next += RECIPIENTS) - RECIPIENTS);
    sent.push({ jobId: await sendTo(new Client(service.running), numbers), numbers });
  }

  const between = (least: number, most: number) => least + Math.floor(dice.next() * (most - least));

  /** Compares what the platform accepted with what the service says of each recipient. */
  async function expectWhole(client: Client, job: BulkJobDetailDto, numbers: readonly string[]): Promise<number> {
    const accepted = (await platform.ledger())
      .filter(({ callbackData }) => callbackData.includes(job.jobId))
      .map(({ to }) => to);
    const recipients = await recipientsOf(client, job.jobId);
    const arrived = new Set(accepted);
    const having = (...statuses: string[]) => recipients.filter(({ status }) => statuses.includes(status));
    const phonesOf = (some: JobRecipientDto[]) => some.map((recipient) => recipient.phone);
    const sentOnes = having('Sent', 'Delivered', 'Read');
    const unknown = having('Unknown');
    const failed = having('Failed');

    expect(doubled(accepted)).toEqual([]);
    expect(phonesOf(recipients)).toEqual(numbers);
    expect(phonesOf(sentOnes).filter((to) => !arrived.has(to))).toEqual([]);
    expect(phonesOf(failed).filter((to) => arrived.has(to))).toEqual([]);
    expect(sentOnes.length + unknown.length + failed.length).toBe(numbers.length);
    expect(job).toMatchObject({
      status: 'Completed',
      progressPercentage: 100,
      successfullySent: sentOnes.length,
      failed: unknown.length + failed.length,
      unknown: unknown.length,
    });
    // Nobody fails for a throttle, a kill or an outage: only four errors of their own can do that.
    expect(failed.filter(({ platformCode }) => platformCode !== 131000)).toEqual([]);
    return unknown.length;
  }

  async function expectAllWhole(): Promise<void> {
    const client = new Client(service.running);
    let unknown = 0;
    for (const { jobId, numbers } of sent) {
      unknown += await expectWhole(client, await ended(client, jobId, 60_000), numbers);
    }
    const { faults } = await platform.stats();
    const lost = Object.values(faults).reduce((sum, count) => sum + count, 0);
    expect(unknown).toBeLessThanOrEqual(KILLS * MOST_FLIGHTS + lost);
  }

  it('end whole: nobody twice, nobody lost, counters equal to rows', async () => {
    dice = printedDice('embedded');
    await service.start();
    for (let kill = 0; kill < KILLS; kill++) {
      if (kill % 3 === 0) await sendJob();
      await pause(between(100, 1500));
      await service.kill();
      await service.start();
    }
    await expectAllWhole();
  });
});
