import type { Client } from 'pg';
import { until } from '../support/process/service';
import type { Benchmark, BenchmarkPlace } from './support/benchmark';
import type { Figure } from './support/figures';
import { withClient } from './support/postgres-time';
import { inProduction, workerRate } from './support/production';
import { writeRecipientList } from './support/recipient-lists';
import { upload } from './support/uploads';

const PACE = 80;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 20);
/** How many jobs start at one moment, and the seconds within which all have to. */
const MOMENTS: readonly [number, number][] = [
  [1_000, 1],
  [10_000, 3],
];
/** Time to insert and analyze the jobs before their moment. */
const BEFORE_MS = 15_000;
const CLOSED_JOBS = 10_000;
const COPIED = 'account_id, sender_id, kind, template_name, language_code, revision_id, total_recipients';

/** Jobs that start at the same moment, and a job beside others whose sending window is closed. */
export const schedulesBenchmark: Benchmark = {
  name: 'schedules',
  question: `jobs scheduled for one moment; a job at ${PACE}/s beside ${CLOSED_JOBS} jobs of its sender outside their window, and alone`,
  async run(place) {
    const figures: Figure[] = [];
    for (const [jobs, within] of MOMENTS) {
      const late = await lateness(place, jobs);
      if (late === null) return [];
      const limits = [{ of: 'ours', bound: 'at most', value: within }] as const;
      figures.push({ what: `the last of ${jobs} jobs starts late by`, unit: 's', ours: [late], limits: [...limits] });
    }
    const [alone, beside] = [await rateBeside(place, 0), await rateBeside(place, CLOSED_JOBS)];
    if (alone === null || beside === null) return [];
    const limits = [{ of: 'ratio', bound: 'at least', value: 0.97 }] as const;
    figures.push({
      what: `accepted over ${SECONDS} s`,
      unit: 'messages/s',
      ours: [beside],
      bare: [alone],
      limits: [...limits],
    });
    return figures;
  },
};

/** Seconds from the moment of so many jobs until the last one has started; null without PostgreSQL or Redis. */
function lateness(place: BenchmarkPlace, jobs: number): Promise<number | null> {
  const settings = { platform: { messagesPerSecond: 0, statuses: false }, pace: PACE };
  return inProduction(place, settings, async (production) => {
    const { jobId } = await upload(production.api, writeRecipientList(place.folder, 'csv', 10), 10);
    const worker = await production.worker();
    try {
      return await withClient(production.store.databaseUrl, async (client) => {
        const moment = await schedule(client, jobId, jobs);
        const waiting = `SELECT 1 FROM bulk_jobs WHERE status = 'Scheduled' LIMIT 1`;
        await until(async () => (await client.query(waiting)).rowCount === 0, 60_000, 'every job has started');
        return (Date.now() - moment) / 1000;
      });
    } finally {
      await worker.stop();
    }
  });
}

/** Copies a job without its recipients, to start at one moment; returns it in milliseconds. */
async function schedule(client: Client, jobId: string, jobs: number): Promise<number> {
  const moment = Date.now() + BEFORE_MS;
  await client.query(
    `INSERT INTO bulk_jobs (id, status, scheduled_at, ${COPIED})
     SELECT gen_random_uuid(), 'Scheduled', $2::timestamptz, ${COPIED} FROM bulk_jobs, generate_series(1, $3::int) WHERE id = $1`,
    [jobId, new Date(moment), jobs],
  );
  await client.query('ANALYZE bulk_jobs');
  if (Date.now() > moment) throw new Error(`Inserting ${jobs} jobs took longer than ${BEFORE_MS} ms`);
  return moment;
}

/** Messages a second of a job beside so many whose window opens tomorrow; null without PostgreSQL or Redis. */
function rateBeside(place: BenchmarkPlace, closedJobs: number): Promise<number | null> {
  const settings = { platform: { messagesPerSecond: 0, statuses: false }, pace: PACE };
  return inProduction(place, settings, async (production, sandbox) => {
    const recipients = (SECONDS + 10) * PACE;
    const { jobId } = await upload(production.api, writeRecipientList(place.folder, 'csv', recipients), recipients);
    await withClient(production.store.databaseUrl, async (client) => {
      await client.query(
        `INSERT INTO bulk_jobs (id, status, at_rest, window_opens_at, send_zone, send_from, send_until, send_days, ${COPIED})
         SELECT gen_random_uuid(), 'Processing', true, now() + interval '20 h', 'UTC', now()::time + interval '20 h',
           now()::time + interval '22 h', '{1,2,3,4,5,6,7}', ${COPIED}
         FROM bulk_jobs, generate_series(1, $2::int) WHERE id = $1`,
        [jobId, closedJobs],
      );
      await client.query('ANALYZE bulk_jobs');
    });
    return workerRate(production, sandbox, SECONDS);
  });
}
