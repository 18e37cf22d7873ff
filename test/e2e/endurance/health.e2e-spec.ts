import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { detailOf, ended, phones, sendTo } from '../../support/process/bulk';
import { Client } from '../../support/process/client';
import { figuresOf } from '../../support/process/figures';
import { PlatformProxy } from '../../support/process/platform-proxy';
import { Platform } from '../../support/process/platform';
import { newStore, type Service, startService, type Store, until } from '../../support/process/service';

const TIMEOUT_SECONDS = 2;
/** The metrics that operators watch, by the first words of each row. */
const FIGURES = [
  'messaging_messages_accepted_total',
  'messaging_messages_failed_total{code="recipient_unreachable"}',
  'messaging_messages_unknown_total',
  'messaging_messages_retried_total',
  'messaging_attempts_total{answer="accepted"}',
  'messaging_attempt_duration_seconds_bucket',
  'messaging_open_flights',
  'messaging_throttled_total{scope="pace"}',
  'messaging_recipients_waiting',
  'messaging_lanes_held',
  'messaging_lanes_with_work',
  'messaging_lanes_without_owner',
  'messaging_lanes_with_expired_lease',
  'messaging_lane_sweep_age_seconds',
  'messaging_lane_changes_total{event="taken"}',
  'messaging_jobs_total{event="ended"}',
  'messaging_recorder_batch_seconds_bucket',
  'messaging_answers_unrecorded',
  'messaging_answers_stalled_seconds',
  'messaging_webhook_lag_seconds_bucket',
  'messaging_webhook_updates_total{result="parked"}',
  'messaging_http_request_duration_seconds_bucket',
  'messaging_health_check_ok{check="database"}',
  'nodejs_eventloop_lag_p99_seconds',
];

/** The metrics of "What to watch" in docs/operations.md, with their labels. */
function documentedFigures(): string[] {
  const text = readFileSync(join(__dirname, '../../../docs/operations.md'), 'utf8');
  const section = text.slice(text.indexOf('## What to watch'), text.indexOf('## Pace and messaging tier'));
  let last = '';
  return [...section.matchAll(/`((?:messaging|nodejs)_[a-z0-9_]+)?(\{[^}]+\})?`/g)]
    .map(([, name, labels = '']) => `${(last = name ?? last)}${labels}`)
    .filter((name) => name !== '');
}

describe('A monitored service', () => {
  let platform: Platform;
  let toPlatform: PlatformProxy;
  let toDatabase: PlatformProxy | undefined;
  let toRedis: PlatformProxy | undefined;
  let store: Store;
  let service: Service;
  let client: Client;

  beforeAll(async () => {
    platform = await Platform.start();
    toPlatform = await PlatformProxy.to(platform.url);
    store = await newStore();
    if (store.databaseUrl) toDatabase = await PlatformProxy.to(store.databaseUrl);
    if (store.databaseUrl && process.env.REDIS_URL) toRedis = await PlatformProxy.to(process.env.REDIS_URL);
    await start();
  });

  afterAll(async () => {
    await service?.stop();
    for (const line of [toPlatform, toDatabase, toRedis]) await line?.cut();
    await store?.drop();
    await platform?.close();
  });

  async function start(): Promise<void> {
    const over = (line: PlatformProxy | undefined, url: string | undefined) =>
      line && Object.assign(new URL(url!), { host: new URL(line.url).host }).href;
    const databaseUrl = over(toDatabase, store.databaseUrl);
    const redisUrl = over(toRedis, process.env.REDIS_URL);
    service = await startService({
      platformUrl: toPlatform.url,
      store,
      env: {
        MESSAGES_PER_SECOND: '50',
        PLATFORM_TIMEOUT_SECONDS: String(TIMEOUT_SECONDS),
        ...(databaseUrl && { DATABASE_URL: databaseUrl }),
        ...(redisUrl && { REDIS_URL: redisUrl }),
      },
    });
    client = new Client(service);
  }

  interface Ready {
    status: string;
    degraded: boolean;
    checks: { name: string; ok: boolean; reason: string | null }[];
  }

  async function ready(): Promise<{ status: number; body: Ready }> {
    const answer = await fetch(`${service.url}/health/ready`);
    return { status: answer.status, body: (await answer.json()) as Ready };
  }

  const isOk = async (name: string) => (await ready()).body.checks.find((check) => check.name === name)?.ok;
  const lives = async () => (await fetch(`${service.url}/health/live`)).status;

  /** While one connection is cut: ready with this status, and only this check fails, with its own reason. */
  async function expectOnlyMissing(name: string, status: number): Promise<void> {
    await until(async () => (await isOk(name)) === false, 10_000, `${name} is missed`);
    const { status: told, body } = await ready();
    expect([told, body.status]).toEqual(status === 200 ? [200, 'ready'] : [503, 'not_ready']);
    expect(body.checks.filter(({ ok }) => !ok)).toEqual([
      expect.objectContaining({ name, reason: expect.stringMatching(/\S{3,}/) }),
    ]);
    expect(await lives()).toBe(200);
  }

  it('is ready with everything available, and lists its checks', async () => {
    const { status, body } = await ready();

    expect([status, body.status, body.degraded]).toEqual([200, 'ready', false]);
    const always = [
      'process',
      'database',
      'platform',
      'background_work',
      'media',
      'sweep',
      'leases',
      'webhook_subscription',
      'access_tokens',
      'status_webhooks',
      'webhook_fields',
      'webhook_deliveries',
      'events_after_restore',
    ];
    const names = [...always, ...(toRedis ? ['redis'] : [])];
    expect(body.checks.map(({ name }) => name).sort()).toEqual(names.sort());
    expect(await lives()).toBe(200);
  });

  it('is ready but degraded while the platform is unreachable', async () => {
    await toPlatform.cut();
    await client.post('/send-template', { to: phones(1, 900)[0], templateName: 'hello_world' });
    await expectOnlyMissing('platform', 200);
    expect((await ready()).body.degraded).toBe(true);
    await toPlatform.restore();
    await client.post('/send-template', { to: phones(1, 901)[0], templateName: 'hello_world' });
    expect(await isOk('platform')).toBe(true);
  });

  if (process.env.DATABASE_URL && process.env.REDIS_URL) {
    it('is ready but degraded without Redis, and keeps sending', async () => {
      await toRedis!.cut();
      await expectOnlyMissing('redis', 200);
      await ended(client, await sendTo(client, phones(20, 700)));
      await toRedis!.restore();
      await until(async () => (await isOk('redis')) === true, 10_000, 'Redis is back');
    });
  }

  if (process.env.DATABASE_URL) {
    it('is not ready without the database, stays alive, and recovers automatically', async () => {
      await toDatabase!.cut();
      await until(async () => (await ready()).status === 503, 10_000, 'it is not ready');
      const { body } = await ready();
      const database = body.checks.find(({ name }) => name === 'database');
      expect(database).toMatchObject({ ok: false, reason: expect.stringMatching(/\S{3,}/) });
      expect(await lives()).toBe(200);
      const refused = await client.post('/send-template', { to: phones(1, 902)[0], templateName: 'hello_world' });
      expect([refused.status, refused.body.code]).toEqual([503, 'service_unavailable']);
      await toDatabase!.restore();
      await until(async () => (await ready()).status === 200, 15_000, 'the database is back');
      await ended(client, await sendTo(client, phones(5, 750)));
    });
  }

  it('shows its activity in metrics, without personal data', async () => {
    const numbers = [...phones(20), '4915133330002', '4915133330004'];
    await platform.configure({ statuses: false });
    await ended(client, await sendTo(client, numbers));
    const figures = await figuresOf(service);

    const names = [...figures.keys()];
    // Alerts read every series from the start: one that begins with its first event shows no increase.
    const documented = documentedFigures().filter((name) => toRedis || !name.includes('wake_up'));
    expect(documented.length).toBeGreaterThan(20);
    expect(documented.filter((name) => !names.some((one) => one.startsWith(name)))).toEqual([]);
    expect(FIGURES.filter((wanted) => !names.some((name) => name.startsWith(wanted)))).toEqual([]);
    if (toRedis) expect(names).toContain('messaging_wake_up_lag_seconds_count');
    expect(figures.get('messaging_messages_accepted_total')).toBeGreaterThanOrEqual(21);
    expect(figures.get('messaging_messages_failed_total{code="recipient_unreachable"}')).toBe(1);
    expect(figures.get('messaging_messages_retried_total')).toBeGreaterThanOrEqual(1);
    expect(figures.get('messaging_recipients_waiting')).toBe(0);
    expect(names.filter((name) => /49151|4915133330002|hello_world/.test(name))).toEqual([]);
  });

  it('stops on SIGTERM within its time limit although the platform never responds', async () => {
    await platform.configure({ faults: { hang: 1 } });
    const jobId = await sendTo(client, phones(5, 300));
    const isHanging = async () => ((await platform.stats()).faults.hang ?? 0) >= 3;
    await until(isHanging, 5000, 'requests are out');
    const begun = performance.now();
    const code = await service.stop();

    expect(code).toBe(0);
    expect(performance.now() - begun).toBeLessThan((TIMEOUT_SECONDS + 5) * 1000);
    await platform.configure({ faults: { hang: 0 } });
    await start();
    const { unknown, failed } = await detailOf(client, jobId);
    expect(failed).toBe(0);
    expect(unknown).toBeGreaterThanOrEqual(3);
  });
});
