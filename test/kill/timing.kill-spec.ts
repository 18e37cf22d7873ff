import type { BulkJobDetailDto } from '../../libs/client/generated/types.gen';
import type { SeededRandom } from '../../libs/platform-sandbox/traffic/seeded-random';
import { listOf, newPhones } from '../support/process/bulk';
import { Platform } from '../support/process/platform';
import { pause, newRandom } from './processes';
import { FaultInjector } from './support/fault-injector';
import { Deployment } from './support/deployment';
import { ConsistencyCheck } from './support/consistency';
import type { SentJob } from './support/workload';

const JOBS = 6;
const RECIPIENTS = 150;
const UNDER_CHANGE_MS = 25_000;
const WORKER_KILLS = 4;
/** Longest time until a client's change reaches the lane, and until requests sent before it arrive. */
const TAKES_EFFECT_MS = 2500;
const OBSERVED_MS = 700;
const ENV = { PLATFORM_TIMEOUT_SECONDS: '3', UNKNOWN_GRACE_SECONDS: '3' };

/** A one-hour window that opened this many hours ago. */
function windowOpenedAgo(hours: number) {
  const clock = (ago: number): string => new Date(Date.now() - ago * 3_600_000).toISOString().slice(11, 16);
  return { from: clock(hours), until: clock(hours - 1), timeZone: 'UTC' };
}

describe('Jobs whose timing changes at two APIs while they start, pause and resume, and workers are killed', () => {
  let platform: Platform;
  let deployment: Deployment | undefined;
  let random: SeededRandom;
  const jobs: SentJob[] = [];

  beforeAll(async () => {
    random = newRandom('timing');
    platform = await Platform.spawn({ autoCreateSenders: true, latencyMs: 50 });
    deployment = await Deployment.start({ platform, apis: 2, workers: 2, env: ENV });
  });

  afterAll(async () => {
    await deployment?.close();
    await platform.close();
  });

  const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
  const act = async (jobId: string, key: string): Promise<void> => {
    const client = deployment!.client(random.chance(0.5) ? 0 : 1);
    const change = (body: object) => client.call('PATCH', `/bulk-jobs/${jobId}`, { body, key });
    const post = (action: string) => client.post(`/bulk-jobs/${jobId}/${action}`, undefined, { key });
    const actions = [
      () => post('pause'),
      () => post('pause'),
      () => post('resume'),
      () => post('resume'),
      () => change({ scheduledAt: inMs(random.next() * 2000 - 500) }),
      () => change({ scheduledAt: inMs(7_200_000) }),
      () => change({ scheduledAt: null }),
      () => change({ sendWindow: windowOpenedAgo(12) }),
      () => change({ sendWindow: windowOpenedAgo(0.5) }),
      () => change({ sendWindow: null }),
    ];
    const { status } = await actions[Math.floor(random.next() * actions.length)]!();
    expect([200, 409]).toContain(status);
  };
  const detail = async ({ jobId, key }: SentJob) =>
    (await deployment!.client().get(`/bulk-jobs/${jobId}`, { key })).body as unknown as BulkJobDetailDto;
  const mustRest = ({ status, scheduledAt, throttled }: BulkJobDetailDto) =>
    status === 'Paused' ||
    (status === 'Scheduled' && Date.parse(scheduledAt!) > Date.now() + 60_000) ||
    throttled?.reason === 'send_window';
  const departures = async ({ jobId }: SentJob, since: number) =>
    (await platform.ledger()).filter(({ callbackData, at }) => callbackData.includes(jobId) && Date.parse(at) > since);

  /** Independent clients change one job; while it must not send, none of its messages is sent. */
  async function changeTiming(job: SentJob, until: number): Promise<number> {
    let rests = 0;
    while (Date.now() < until) {
      for (let round = 0; round < 3; round++) await Promise.all([act(job.jobId, job.key), act(job.jobId, job.key)]);
      if (!mustRest(await detail(job))) continue;
      await pause(TAKES_EFFECT_MS);
      const since = Date.now();
      await pause(OBSERVED_MS);
      expect(await departures(job, since)).toEqual([]);
      rests++;
    }
    return rests;
  }

  it('send once to everyone, nothing while they must not, and answer every request', async () => {
    const keys = await deployment!.keys(1, 20);
    const fresh = newPhones();
    for (let n = 0; n < JOBS; n++) {
      const numbers = fresh(RECIPIENTS);
      const key = keys[n % keys.length]!;
      const fields = { templateName: 'hello_world', validForSeconds: '3600', scheduledAt: inMs(1000 + n * 500) };
      const { status, body } = await deployment!.client().upload(listOf(numbers), fields, { key });
      expect(status).toBe(202);
      jobs.push({ jobId: body.jobId as string, key, numbers });
    }
    const until = Date.now() + UNDER_CHANGE_MS;
    const faults = new FaultInjector(deployment!, platform, random);
    const injected = (async () => {
      for (let n = 0; n < WORKER_KILLS; n++) {
        await pause(UNDER_CHANGE_MS / (WORKER_KILLS + 1));
        await faults.inject('worker');
      }
    })();
    const rests = await Promise.all(jobs.map((job) => changeTiming(job, until)));
    await injected;
    await faults.recovered();
    process.stdout.write(`timing: ${rests.join(' ')} rests, ${(await platform.ledger()).length} sent under change\n`);

    for (const { jobId, key } of jobs) {
      const client = deployment!.client();
      await client.post(`/bulk-jobs/${jobId}/pause`, undefined, { key });
      const body = { scheduledAt: null, sendWindow: null };
      await client.call('PATCH', `/bulk-jobs/${jobId}`, { body, key });
      await client.post(`/bulk-jobs/${jobId}/resume`, undefined, { key });
    }
    const consistency = new ConsistencyCheck(deployment!, platform);
    await consistency.ended(jobs);
    expect(await consistency.expectJobs(jobs)).toBeLessThanOrEqual(await faults.maxUnknown());
    consistency.expectNoneFailed();
    expect(rests.reduce((sum, count) => sum + count)).toBeGreaterThan(JOBS);
  });
});
