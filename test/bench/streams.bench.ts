import { KEY, platformSettings } from '../support/process/service';
import { startSandboxProcess, startServer } from './support/bare-process';
import type { Benchmark } from './support/benchmark';
import { interleaved } from './support/figures';
import { embeddedStore, postgresStore, startMeasured } from './support/measured-service';
import { jobRate } from './support/production';
import { writeRecipientList } from './support/recipient-lists';
import { upload } from './support/uploads';

const LISTENERS = 500;
/** Enough for some seconds: listeners receive two events in each. */
const ROWS = 20_000;
const ROUNDS = 3;
const LATENCY_MS = 50;

/** The cost of many listeners for a job, in the process that sends it. */
export const streamsBenchmark: Benchmark = {
  name: 'streams',
  question: `a job in one process that serves ${LISTENERS} streams of events; the bare loop is the same job without listeners`,
  async run({ folder, postgresUrl }) {
    const sandbox = await startSandboxProcess({ messagesPerSecond: 0, statuses: false, latencyMs: LATENCY_MS });
    const store = await (postgresUrl ? postgresStore(folder, postgresUrl) : embeddedStore(folder));
    const service = await startMeasured(store, { ...platformSettings(sandbox.url), MESSAGES_PER_SECOND: '100000' });
    const list = writeRecipientList(folder, 'csv', ROWS);
    const cpu = { ours: [] as number[], bare: [] as number[] };
    const rate = async (processor: number[]): Promise<number> => {
      const before = service.cpuSeconds();
      const { jobId } = await upload(service, list, ROWS);
      const perSecond = await jobRate(service, jobId, ROWS);
      processor.push(((service.cpuSeconds() - before) * 1000) / ROWS);
      return perSecond;
    };
    const withListeners = async (): Promise<number> => {
      const url = `${service.url}/api/v1/messaging/events`;
      const listeners = await startServer('listeners.ts', { url, key: KEY, count: LISTENERS });
      try {
        return await rate(cpu.ours);
      } finally {
        await listeners.stop();
      }
    };
    try {
      await rate([]);
      const rates = await interleaved(ROUNDS, withListeners, () => rate(cpu.bare));
      return [
        {
          what: `rate with ${LISTENERS} listeners`,
          unit: 'messages/s',
          ...rates,
          limits: [{ of: 'ratio', bound: 'at least', value: 0.9 }],
        },
        { what: 'processor time of the process', unit: 's per 1,000', ...cpu },
      ];
    } finally {
      await service.stop();
      await store.drop();
      await sandbox.stop();
    }
  },
};
