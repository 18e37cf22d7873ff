import { Client as PostgresClient } from 'pg';
import { KEY, platformSettings } from '../support/process/service';
import { startSandboxProcess } from './support/bare-process';
import type { Benchmark } from './support/benchmark';
import type { Figure } from './support/figures';
import { postgresStore, startMeasured } from './support/measured-service';
import { writeRecipientList } from './support/recipient-lists';
import { upload } from './support/uploads';

const ROWS = 1_000_000;
const AT_ONCE = 100_000;
const FORMATS = ['csv', 'xlsx'] as const;

/** The report of the largest job. */
export const reportBenchmark: Benchmark = {
  name: 'report',
  question: `the report of ${ROWS} recipients, one in ten failed, from PostgreSQL; a fresh process for each format`,
  async run({ folder, postgresUrl }) {
    if (!postgresUrl) return [];
    const store = await postgresStore(folder, postgresUrl);
    const sandbox = await startSandboxProcess({});
    const env = { ...platformSettings(sandbox.url), MESSAGES_PER_SECOND: '1' };
    const figures: Figure[] = [];
    try {
      const maker = await startMeasured(store, env);
      const { jobId } = await upload(maker, writeRecipientList(folder, 'csv', 1), 1);
      await maker.stop();
      await grow(store.databaseUrl, jobId);
      for (const format of FORMATS) {
        const service = await startMeasured(store, env);
        const begun = performance.now();
        const url = `${service.url}/api/v1/messaging/bulk-jobs/${jobId}/report?format=${format}`;
        const { body } = await fetch(url, { headers: { 'x-api-key': KEY } });
        let bytes = 0;
        for await (const part of body!) bytes += (part as Uint8Array).length;
        const seconds = (performance.now() - begun) / 1000;
        figures.push(
          {
            what: `${format}, ${Math.round(bytes / 1e6)} MB`,
            unit: 'rows/s',
            ours: [ROWS / seconds],
            limits: [{ of: 'ours', bound: 'at least', value: 30_000 }],
          },
          {
            what: `most memory for ${format}`,
            unit: 'MB',
            ours: [service.peakMegabytes()],
            limits: [{ of: 'ours', bound: 'at most', value: 150 }],
          },
        );
        await service.stop();
      }
      return figures;
    } finally {
      await sandbox.stop();
      await store.drop();
    }
  },
};

/** Makes the job one of so many recipients, completed. */
async function grow(databaseUrl: string, jobId: string): Promise<void> {
  const client = new PostgresClient({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('DELETE FROM job_recipients WHERE job_id = $1', [jobId]);
    for (let first = 1; first <= ROWS; first += AT_ONCE) {
      await client.query(
        `INSERT INTO job_recipients (job_id, position, row_number, message_id, phone, parameters, attempt, outcome, problem,
           problem_message, updated_at)
         SELECT $1, n, n + 1, gen_random_uuid(), (491510000000 + n)::text, jsonb_build_array('Customer ' || n, 'PK-' || n), 1,
           CASE WHEN n % 10 = 0 THEN 'Failed' ELSE 'Sent' END, CASE WHEN n % 10 = 0 THEN 'recipient_unreachable' END,
           CASE WHEN n % 10 = 0 THEN 'Message undeliverable' END, now()
         FROM generate_series($2::int, $3::int) n`,
        [jobId, first, first + AT_ONCE - 1],
      );
    }
    await client.query(
      `UPDATE bulk_jobs SET total_recipients = $2::int, successfully_sent = $2 * 0.9, failed = $2 * 0.1, cursor = $2 + 1,
         settled_below = $2 + 1, status = 'Completed', started_at = now(), completed_at = now() WHERE id = $1`,
      [jobId, ROWS],
    );
    await client.query('VACUUM ANALYZE job_recipients');
  } finally {
    await client.end();
  }
}
