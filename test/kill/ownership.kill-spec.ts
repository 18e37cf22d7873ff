import { detailOf, doubled, ended, phones, sendTo } from '../support/process/bulk';
import { PlatformProxy } from '../support/process/platform-proxy';
import { Platform } from '../support/process/platform';
import { until } from '../support/process/service';
import { type KillableService, pause } from './processes';
import { Deployment } from './support/deployment';

const RECIPIENTS = 900;
/** Requests stay unanswered long enough to be in flight at every fault. */
const LATENCY_MS = 1200;
/** Requests in flight at a fault have arrived by then. */
const ARRIVED_MS = 500;
const LEASE_MS = 4000;
const ENV = { PLATFORM_TIMEOUT_SECONDS: '30', UNKNOWN_GRACE_SECONDS: '120' };

describe('The lane of a sender with a running job', () => {
  let platform: Platform;
  let lines: PlatformProxy[];
  let deployment: Deployment | undefined;
  let next = 0;
  let jobId: string;

  const running = (): Deployment => deployment!;

  beforeAll(async () => {
    platform = await Platform.spawn({ latencyMs: LATENCY_MS });
    lines = await Promise.all([0, 1, 2].map(() => PlatformProxy.to(platform.url)));
    deployment = await Deployment.start({ platform, env: ENV, workerProxyUrls: lines.map(({ url }) => url) });
  });

  afterAll(async () => {
    await deployment?.close();
    await Promise.all(lines.map((line) => line.cut()));
    await platform.close();
  });

  beforeEach(async () => {
    jobId = await sendTo(running().client(), phones(RECIPIENTS, (next += RECIPIENTS) - RECIPIENTS));
    await until(async () => (await acceptedAt()).length > 100, 20_000, 'the job is running');
  });

  afterEach(async () => {
    await running().client().post(`/bulk-jobs/${jobId}/cancel`);
    for (const worker of running().workers) {
      // A failed test leaves it frozen, where it would never end.
      if (worker.alive) worker.resume();
      else await worker.start();
    }
    expect(doubled((await platform.ledger()).map(({ callbackData }) => callbackData.split('.')[0]!))).toEqual([]);
  });

  /** Times at which the platform accepted messages of the job. */
  async function acceptedAt(): Promise<number[]> {
    const ofJob = (await platform.ledger()).filter(({ callbackData }) => callbackData.includes(jobId));
    return ofJob.map(({ at }) => Date.parse(at));
  }

  /** The time of the first message after `moment`, excluding requests in flight then. */
  async function firstAfter(moment: number): Promise<number> {
    let first: number | undefined;
    const look = async () => {
      first = (await acceptedAt()).find((at) => at > moment + ARRIVED_MS);
      return first !== undefined;
    };
    await until(look, 20_000, 'the job continues');
    return first!;
  }

  async function owner(): Promise<KillableService> {
    let found: KillableService | null = null;
    await until(async () => (found = await running().owner()) !== null, 10_000, 'a worker has the lane');
    return found!;
  }

  async function unknown(): Promise<number> {
    const [row] = await running().postgres.rows<{ unknown: number }>(
      `SELECT count(*)::int AS unknown FROM job_recipients WHERE job_id = $1 AND outcome = 'Unknown'`,
      [jobId],
    );
    return row!.unknown;
  }

  /** Waits until another worker has the lane of a frozen worker. */
  async function takenFrom(frozen: KillableService): Promise<void> {
    const isTaken = async () => {
      const now = await running().owner();
      return now !== null && now !== frozen;
    };
    await until(isTaken, 10_000, 'another worker has the lane');
  }

  /** Expects a resumed worker to send nothing, and its answers to settle unknown outcomes. */
  async function expectStale(frozen: KillableService): Promise<void> {
    const line = lines[running().workers.indexOf(frozen)]!;
    const passed = line.passed;
    expect(await unknown()).toBeGreaterThan(0);
    frozen.resume();
    await until(async () => (await unknown()) === 0, 10_000, 'the answers of the stale owner settle theirs');
    const before = (await acceptedAt()).length;
    await pause(2000);
    expect(line.passed).toBe(passed);
    expect((await acceptedAt()).length).toBeGreaterThan(before);
    expect((await fetch(`${frozen.running.url}/health/ready`)).status).toBe(200);
  }

  it('is taken over, and sends again, within 10 s of the death of its worker', async () => {
    const worker = await owner();
    await worker.kill();
    const killedAt = Date.now();
    const again = (await firstAfter(killedAt)) - killedAt;
    process.stdout.write(`sent again ${again} ms after the worker was killed\n`);
    expect(again).toBeLessThanOrEqual(10_000);
  });

  it('sends again within 6 s of the first ready worker after all were killed', async () => {
    await Promise.all(running().workers.map((worker) => worker.kill()));
    const killedAt = Date.now();
    await running().workers[0]!.start();
    const readyAt = Date.now();
    const again = (await firstAfter(killedAt)) - readyAt;
    process.stdout.write(`sent again ${again} ms after the first worker was ready\n`);
    expect(again).toBeLessThanOrEqual(6000);
  });

  it('claims and sends nothing in a worker frozen past its lease, whose answers still count', async () => {
    const frozen = await owner();
    frozen.suspend();
    await takenFrom(frozen);
    await pause(LEASE_MS);
    await expectStale(frozen);
  });

  it('is taken over from a worker frozen inside a transaction', async () => {
    const frozen = await frozenInTransaction();
    const frozenAt = Date.now();
    const again = (await firstAfter(frozenAt)) - frozenAt;
    process.stdout.write(`sent again ${again} ms after the worker was frozen inside a transaction\n`);
    expect(again).toBeLessThanOrEqual(10_000);
    await takenFrom(frozen);
    await expectStale(frozen);
  });

  it('leaves nothing unknown when every worker is stopped by SIGTERM', async () => {
    expect(await Promise.all(running().workers.map((worker) => worker.stop()))).toEqual([0, 0, 0]);
    expect(await unknown()).toBe(0);
    expect(await running().claimed()).toBe(0);
    const accepted = await acceptedAt();
    expect(await detailOf(running().client(), jobId)).toMatchObject({ successfullySent: accepted.length, failed: 0 });
    expect(accepted.length).toBeLessThan(RECIPIENTS);
    await Promise.all(running().workers.map((worker) => worker.start()));
    expect(await ended(running().client(), jobId, 60_000)).toMatchObject({
      status: 'Completed',
      successfullySent: RECIPIENTS,
      failed: 0,
      unknown: 0,
    });
  });

  /** Freezes the owner repeatedly until it is inside a transaction. */
  async function frozenInTransaction(): Promise<KillableService> {
    const worker = await owner();
    for (let attempt = 0; attempt < 200; attempt++) {
      worker.suspend();
      await pause(30);
      // A running worker never stays in a transaction that long between statements.
      const open = await running().postgres.rows(
        `SELECT 1 FROM pg_stat_activity WHERE state = 'idle in transaction' AND state_change < now() - interval '25 ms'`,
      );
      if (open.length > 0) return worker;
      worker.resume();
      await pause(7 + (attempt % 13));
    }
    throw new Error('The worker was never caught inside a transaction');
  }
});
