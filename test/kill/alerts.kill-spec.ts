import { ended, newPhones, sendTo } from '../support/process/bulk';
import type { Client } from '../support/process/client';
import { Platform } from '../support/process/platform';
import { pause } from './processes';
import { Deployment } from './support/deployment';
import { documentedAlerts, scrape } from './support/documented-alerts';

const WATCHED_MS = 4_000;

describe('The alerts of docs/operations.md, on the metrics of real processes', () => {
  const alerts = documentedAlerts();
  const phones = newPhones();
  let platform: Platform;
  let deployment: Deployment | undefined;
  let client: Client;

  beforeAll(async () => {
    platform = await Platform.spawn({ latencyMs: 50 });
    deployment = await Deployment.start({ platform, workers: 1, reports: true });
    client = deployment.client();
    await ended(client, await sendTo(client, phones(20)));
  });

  afterAll(async () => {
    await deployment?.close();
    await platform.close();
  });

  /** The conditions that hold on any running process while `work` runs. */
  async function firing(work: () => Promise<unknown>): Promise<string[]> {
    const urls = deployment!.all.filter(({ alive }) => alive).map(({ running }) => running.url);
    const before = await Promise.all(urls.map(scrape));
    await Promise.all([work(), pause(WATCHED_MS)]);
    const after = await Promise.all(urls.map(scrape));
    return alerts
      .filter(({ fires }) => before.some((first, n) => fires(first, after[n]!)))
      .map(({ condition }) => condition);
  }

  it('do not fire while jobs are sent, reported on and read', async () => {
    expect(alerts.length).toBe(30);
    const work = async () => {
      await ended(client, await sendTo(client, phones(60)));
      await client.post('/send-template', { to: phones(1)[0], templateName: 'hello_world' });
    };
    expect(await firing(work)).toEqual([]);
  });

  it('report waiting senders, and nothing else, while an API process runs without any worker', async () => {
    await deployment!.workers[0]!.stop();
    await sendTo(client, phones(20));
    // The workload in the metrics may be 2 s old.
    await pause(3_000);
    expect(await firing(() => client.get('/bulk-jobs'))).toEqual([
      expect.stringContaining('`messaging_lanes_without_owner` > 0'),
    ]);
  });

  it('report what fails while Redis, and then PostgreSQL, is unavailable', async () => {
    await deployment!.redis.kill();
    await pause(1_000);
    expect(await firing(() => sendTo(client, phones(20)))).toEqual([
      expect.stringContaining('`messaging_lanes_without_owner` > 0'),
      expect.stringContaining('`messaging_health_check_ok` is 0'),
      expect.stringContaining('`messaging_wake_ups_total{event="failed"}` grows'),
    ]);
    await deployment!.postgres.crash('SIGQUIT');
    await pause(1_000);
    expect(await firing(() => pause(0))).toEqual([
      expect.stringContaining('or the metric is missing'),
      expect.stringContaining('`messaging_health_check_ok` is 0'),
    ]);
  });
});
