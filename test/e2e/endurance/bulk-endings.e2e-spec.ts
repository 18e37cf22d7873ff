import { setTimeout as wait } from 'node:timers/promises';
import type { BulkJobDetailDto, BulkJobStatusDto, JobRecipientDto } from '../../../libs/client/generated/types.gen';
import { detailOf, doubled, ended, phones, progressOf, recipientsOf, sendTo } from '../../support/process/bulk';
import { Client } from '../../support/process/client';
import { Platform } from '../../support/process/platform';
import { type Service, startService, until } from '../../support/process/service';

/** A sandbox number whose last four digits determine its outcome. */
const ending = (digits: string) => `49152888${digits}`;
const ENDINGS = ['0001', '0002', '0003', '0004', '0005', '0006', '0007', '0008', '0009'].map(ending);

/** One reader's view of a job, read sequentially. */
interface View {
  before: BulkJobDetailDto;
  list: JobRecipientDto[];
  status: BulkJobStatusDto;
  after: BulkJobDetailDto;
}

const SUCCESSFUL = ['Sent', 'Delivered', 'Read', 'Undelivered'];
const FAILED = ['Failed', 'Skipped', 'Cancelled'];
const STATES_OF_COUNTERS = {
  successfullySent: SUCCESSFUL,
  failed: [...FAILED, 'Unknown'],
  unknown: ['Unknown'],
  skipped: ['Skipped'],
  undelivered: ['Undelivered'],
  delivered: ['Delivered', 'Read'],
  read: ['Read'],
};

async function viewOf(client: Client, jobId: string): Promise<View> {
  const before = await detailOf(client, jobId);
  const list = await recipientsOf(client, jobId);
  const status = await progressOf(client, jobId);
  return { before, list, status, after: await detailOf(client, jobId) };
}

function countOf(list: readonly JobRecipientDto[], states: readonly string[]): number {
  return list.filter(({ status }) => states.includes(status)).length;
}

/** The contradictions within a view; a final Unknown counts as failed, which the list does not show. */
function contradictions({ before, list, status, after }: View): string[] {
  const found: string[] = [];
  const sent = countOf(list, SUCCESSFUL);
  const failed = countOf(list, FAILED);
  const listed = { successfullySent: [sent, sent], failed: [failed, failed + countOf(list, ['Unknown'])] } as const;
  for (const name of ['successfullySent', 'failed'] as const) {
    const [low, high] = [Math.min(before[name], after[name]), Math.max(before[name], after[name])];
    const [least, most] = listed[name];
    if (most < low || least > high) found.push(`${name} is ${low} to ${high}, in the list ${least} to ${most}`);
    if (status[name] < low || status[name] > high) found.push(`${name} is ${low} to ${high}, status ${status[name]}`);
  }
  for (const job of [before, after]) {
    const sum = job.successfullySent + job.failed + job.pending;
    if (sum !== list.length || job.totalRecipients !== list.length) found.push(`${sum} of ${list.length}`);
  }
  return found;
}

describe('A job with every possible outcome', () => {
  const others = phones(40);
  let platform: Platform;
  let service: Service;
  let job: BulkJobDetailDto;
  let recipients: Map<string, JobRecipientDto>;
  let accepted: string[];
  let client: Client;
  const views: View[] = [];

  beforeAll(async () => {
    platform = await Platform.start();
    service = await startService({
      platformUrl: platform.url,
      env: { PLATFORM_TIMEOUT_SECONDS: '2', UNKNOWN_GRACE_SECONDS: '3' },
    });
    client = new Client(service);
    const jobId = await sendTo(client, [...others.slice(0, 20), ...ENDINGS, ...others.slice(20)]);
    let isOver = false;
    const end = ended(client, jobId, 55_000).finally(() => (isOver = true));
    while (!isOver) {
      views.push(await viewOf(client, jobId));
      await Promise.race([end, wait(200)]);
    }
    job = await end;
    recipients = new Map((await recipientsOf(client, jobId)).map((recipient) => [recipient.phone!, recipient]));
    accepted = await platform.accepted();
  }, 60_000);

  afterAll(async () => {
    await service?.stop();
    await service?.store.drop();
    await platform?.close();
  });

  const at = (digits: string) => recipients.get(ending(digits));
  const times = (digits: string) => accepted.filter((to) => to === ending(digits)).length;

  it('is completed, and counts everyone once', () => {
    expect(job).toMatchObject({
      status: 'Completed',
      totalRecipients: 49,
      progressPercentage: 100,
      pending: 0,
      throttled: null,
    });
    expect(job.successfullySent + job.failed).toBe(49);
    expect(job).toMatchObject({ successfullySent: 44, failed: 5, unknown: 3 });
  });

  it('adds up at all times: details, status and list', () => {
    expect(views.length).toBeGreaterThan(3);
    expect(views.flatMap(contradictions)).toEqual([]);
  });

  it('adds up by state in the end, counter by counter', async () => {
    let different: unknown[] = [];
    const addsUp = async (): Promise<boolean> => {
      const list = await recipientsOf(client, job.jobId);
      const now = await detailOf(client, job.jobId);
      different = Object.entries(STATES_OF_COUNTERS)
        .map(([name, states]) => [name, now[name as keyof typeof now], countOf(list, states)])
        .filter(([, counted, listed]) => counted !== listed);
      return different.length === 0;
    };
    // Statuses are added up a moment after their arrival.
    await until(addsUp, 20_000, 'the counters are those of the list').catch(() => undefined);
    expect(different).toEqual([]);
  });

  it('sends nothing twice', () => {
    expect(doubled(accepted)).toEqual([]);
  });

  it('reaches all others', () => {
    expect(others.filter((to) => !['Sent', 'Delivered', 'Read'].includes(recipients.get(to)!.status))).toEqual([]);
    expect(others.filter((to) => !accepted.includes(to))).toEqual([]);
  });

  it.each(['0001', '0003', '0009'])('has sent to %s', (digits) => {
    expect(at(digits)).toMatchObject({
      errorCode: null,
      attempts: 1,
      platformMessageId: expect.stringMatching(/^wamid\./),
    });
    expect(times(digits)).toBe(1);
  });

  it('has failed for 0002, refused immediately', () => {
    expect(at('0002')).toMatchObject({ status: 'Failed', platformCode: 131026, attempts: 1, platformMessageId: null });
    expect(times('0002')).toBe(0);
  });

  it('has sent to 0004 on the second attempt, since a throttle fails no one', () => {
    expect(at('0004')).toMatchObject({ errorCode: null, attempts: 2 });
    expect(times('0004')).toBe(1);
  });

  it.each(['0005', '0006'])('has an unknown outcome for %s, whose response was lost, and never retries', (digits) => {
    expect(at(digits)).toMatchObject({ status: 'Unknown', errorCode: 'outcome_unknown', attempts: 1 });
    expect(times(digits)).toBe(1);
  });

  it('has an unknown outcome for 0007 too, as a gateway may fail after the platform accepted', () => {
    expect(at('0007')).toMatchObject({ status: 'Unknown', errorCode: 'outcome_unknown', attempts: 1 });
    expect(times('0007')).toBe(0);
  });

  it('has tried 0008 several times before failing', () => {
    expect(at('0008')).toMatchObject({ status: 'Failed', platformCode: 131000 });
    expect(at('0008')!.attempts).toBeGreaterThanOrEqual(4);
    expect(times('0008')).toBe(0);
  });
});
