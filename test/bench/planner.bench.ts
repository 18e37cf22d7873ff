import type { Client } from 'pg';
import { uuidV7 } from '../../src/kernel/uuid';
import type { Benchmark, BenchmarkPlace } from './support/benchmark';
import type { Figure } from './support/figures';
import { inProduction, workerRate } from './support/production';
import { secondsUsed, withClient } from './support/postgres-time';
import { writeRecipientList } from './support/recipient-lists';
import { upload } from './support/uploads';

/** Fewer to try it out: BENCH_RECIPIENTS=100000. Only the first seconds of the job are sent. */
const RECIPIENTS = Number(process.env.BENCH_RECIPIENTS ?? 1_000_000);
const UNKNOWN = 1000;
const PACE = 300;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 60);
const FORGOTTEN_JOBS = 100_000;
const IDLE_SENDERS = 1000;
const IDLE_SECONDS = 20;

/** What the planner's choices cost: a job after ANALYZE with unknown outcomes in it, and a past of jobs that nobody resumes. */
export const plannerBenchmark: Benchmark = {
  name: 'planner',
  question: `a job of ${RECIPIENTS} after ANALYZE with ${UNKNOWN} unknown outcomes at ${PACE}/s; ${FORGOTTEN_JOBS} paused jobs and ${IDLE_SENDERS} senders whose jobs wait`,
  async run(place) {
    const settings = { platform: { messagesPerSecond: 0, statuses: false, latencyMs: 50 }, pace: PACE };
    const fresh = await rateWith(place, settings, 0);
    const rate = fresh === null ? null : await rateWith(place, settings, UNKNOWN);
    if (fresh === null || rate === null) return [];
    const figures: Figure[] = [
      {
        what: `accepted over ${SECONDS} s`,
        unit: 'messages/s',
        ours: [rate],
        bare: [fresh],
        limits: [{ of: 'ours', bound: 'at least', value: 0.97 * PACE }],
      },
    ];
    const idle = await idleShare(place, settings);
    if (idle !== null) {
      figures.push({
        what: 'PostgreSQL while nothing can be sent',
        unit: '% of a processor',
        ours: [idle],
        limits: [{ of: 'ours', bound: 'at most', value: 5 }],
      });
    }
    return figures;
  },
};

/** Messages a second of a new job, or of one with so many unknown outcomes; null where PostgreSQL or Redis is missing. */
function rateWith(
  place: BenchmarkPlace,
  settings: Parameters<typeof inProduction>[1],
  unknown: number,
): Promise<number | null> {
  return inProduction(place, settings, async (production, sandbox) => {
    const { jobId } = await upload(production.api, writeRecipientList(place.folder, 'csv', RECIPIENTS), RECIPIENTS);
    if (unknown > 0) await withClient(production.store.databaseUrl, (client) => leaveUnknown(client, jobId, unknown));
    return workerRate(production, sandbox, SECONDS);
  });
}

/** The first recipients were attempted, with unknown outcomes. */
async function leaveUnknown(client: Client, jobId: string, unknown: number): Promise<void> {
  await client.query(
    `UPDATE job_recipients SET outcome = 'Unknown', unknown_since = now(), attempt = 1 WHERE job_id = $1 AND position <= $2`,
    [jobId, unknown],
  );
  await client.query(
    `UPDATE bulk_jobs SET status = 'Processing', started_at = now(), cursor = $2 + 1, settled_below = $2 + 1, unknown = $2,
       unknown_in_grace = $2 WHERE id = $1`,
    [jobId, unknown],
  );
  await client.query('ANALYZE');
}

/** The processor time of PostgreSQL beside a worker that has nothing to send; null where PostgreSQL runs elsewhere. */
function idleShare(place: BenchmarkPlace, settings: Parameters<typeof inProduction>[1]): Promise<number | null> {
  return inProduction(place, settings, async (production) => {
    const { jobId } = await upload(production.api, writeRecipientList(place.folder, 'csv', 10), 10);
    return withClient(production.store.databaseUrl, async (client) => {
      await leaveIdleJobs(client, jobId);
      const worker = await production.worker();
      try {
        // The lanes are taken once, and given back after 5 s without work.
        await new Promise((resolve) => setTimeout(resolve, 15_000));
        const used = await secondsUsed(client, IDLE_SECONDS * 1000);
        return used === null ? null : (100 * used) / IDLE_SECONDS;
      } finally {
        await worker.stop();
      }
    });
  });
}

/**
 * Copies of a job: paused ones of its own sender, and one for each of many senders without room in their messaging tier. Their
 * templates have just been read: the first reading of a thousand accounts at once is nothing that an idle service does.
 */
async function leaveIdleJobs(client: Client, jobId: string): Promise<void> {
  const columns = 'kind, template_name, language_code, revision_id, total_recipients';
  await client.query(`UPDATE bulk_jobs SET status = 'Paused' WHERE id = $1`, [jobId]);
  await client.query(
    `INSERT INTO bulk_jobs (id, account_id, sender_id, status, at_rest, ${columns})
     SELECT gen_random_uuid(), account_id, sender_id, 'Paused', true, ${columns}
     FROM bulk_jobs, generate_series(1, ${FORGOTTEN_JOBS}) WHERE id = $1`,
    [jobId],
  );
  for (let sender = 0; sender < IDLE_SENDERS; sender++) {
    const [account, id] = [uuidV7(), uuidV7()];
    await client.query(`INSERT INTO accounts (id, name, plan) VALUES ($1, 'Idle', 'Free')`, [account]);
    await client.query(
      `INSERT INTO senders (id, account_id, phone_number_id, business_account_id, templates_synced_at)
       VALUES ($1, $2, $3, '2', now())`,
      [id, account, String(sender)],
    );
    await client.query(
      `INSERT INTO bulk_jobs (id, account_id, sender_id, status, throttled_until, throttled_tier, ${columns})
       SELECT gen_random_uuid(), $2, $3, 'Processing', now() + interval '1 h', 'Unlimited', ${columns}
       FROM bulk_jobs WHERE id = $1`,
      [jobId, account, id],
    );
  }
  await client.query('ANALYZE');
}
