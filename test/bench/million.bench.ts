import { openDataSource } from '../../src/infra/database/data-source';
import { Database } from '../../src/infra/database/database';
import { laneProcessOn } from '../support/lane-stores';
import { until } from '../support/process/service';
import type { Benchmark } from './support/benchmark';
import type { MeasuredService } from './support/measured-service';
import { inProduction } from './support/production';
import { writeRecipientList } from './support/recipient-lists';
import { upload } from './support/uploads';

const ROWS = 1_000_000;
const CALLS = 1000;
/** A lease lasts 4 s. */
const LEASE_ENDS_MS = 10_000;

/** The cost of a job of a million recipients for status calls and for a takeover. */
export const millionBenchmark: Benchmark = {
  name: 'million',
  question: `a job of ${ROWS} recipients that is being sent: its status, and its lane taken over from a killed worker`,
  async run(place) {
    // Slow enough that many requests are in flight when their worker is killed.
    const settings = { platform: { messagesPerSecond: 0, statuses: false, latencyMs: 1000 }, pace: 200 };
    const measured = await inProduction(place, settings, async (production) => {
      const { jobId } = await upload(production.api, writeRecipientList(place.folder, 'csv', ROWS), ROWS);
      const worker = await production.worker();
      await until(async () => (await statusOf(production.api, jobId)).successfullySent > 500, 30_000, 'it is sent');
      const times = await callTimes(production.api, jobId);
      await worker.kill();
      return { times, takeover: await takeOver(production.store.databaseUrl) };
    });
    if (!measured) return [];
    const { times, takeover } = measured;
    return [
      {
        what: `status call, p99 of ${CALLS}`,
        unit: 'ms',
        ours: [times[Math.floor(CALLS * 0.99)]!],
        limits: [{ of: 'ours', bound: 'at most', value: 20 }],
      },
      {
        what: `takeover with ${takeover.unknown} in flight`,
        unit: 'ms',
        ours: [takeover.ms],
        limits: [{ of: 'ours', bound: 'at most', value: 1000 }],
      },
    ];
  },
};

async function callTimes(api: MeasuredService, jobId: string): Promise<number[]> {
  const times: number[] = [];
  for (let call = 0; call < CALLS; call++) {
    const begun = performance.now();
    await statusOf(api, jobId);
    times.push(performance.now() - begun);
  }
  return times.sort((a, b) => a - b);
}

async function statusOf(api: MeasuredService, jobId: string): Promise<{ successfullySent: number }> {
  const { status, body } = await api.client.get(`/bulk-jobs/${jobId}/status`);
  if (status !== 200) throw new Error(`The status call was answered ${status}: ${JSON.stringify(body)}`);
  return body as { successfullySent: number };
}

/** Takes the lane over like another worker, once its lease has expired. */
async function takeOver(databaseUrl: string): Promise<{ ms: number; unknown: number }> {
  const source = await openDataSource({ databaseUrl, dataDir: 'not used' }, []);
  try {
    const database = new Database(source);
    const { leases, take } = laneProcessOn(database, 'the next worker', false);
    let ms = 0;
    const taken = async (): Promise<boolean> => {
      const [senderId] = await leases.sendersToRun();
      if (senderId === undefined) return false;
      const begun = performance.now();
      const epoch = await take(senderId);
      ms = performance.now() - begun;
      return epoch !== null;
    };
    await until(taken, LEASE_ENDS_MS, 'the lane can be taken over');
    const [row] = await database.rows<{ n: number }>(
      'SELECT count(*)::int AS n FROM job_recipients WHERE unknown_since IS NOT NULL',
    );
    return { ms, unknown: row!.n };
  } finally {
    await source.destroy();
  }
}
