import { openDataSource } from '../../src/infra/database/data-source';
import { Database } from '../../src/infra/database/database';
import { tend } from '../support/grown-history';
import { growJob } from '../support/grown-job';
import { KEY, platformSettings } from '../support/process/service';
import { startSandboxProcess } from './support/bare-process';
import type { Benchmark } from './support/benchmark';
import type { Figure } from './support/figures';
import { postgresStore, startMeasured } from './support/measured-service';
import { writeRecipientList } from './support/recipient-lists';
import { upload } from './support/uploads';

const ROWS = 1_000_000;
/** Time after which a ready service has reached its peak memory without work. */
const SETTLED_MS = 5000;
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
        // V8 still compiles hot code of the startup, which takes more memory than the report.
        await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
        const readyMegabytes = service.peakMegabytes();
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
          {
            what: `of that beyond a ready service, ${format}`,
            unit: 'MB',
            ours: [service.peakMegabytes() - readyMegabytes],
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

/** Gives the job this many recipients. */
async function grow(databaseUrl: string, jobId: string): Promise<void> {
  const source = await openDataSource({ databaseUrl, dataDir: 'not used' }, []);
  try {
    await growJob(new Database(source), jobId, { recipients: ROWS, failedEvery: 10 });
  } finally {
    await source.destroy();
  }
  await tend(databaseUrl, ['job_recipients']);
}
