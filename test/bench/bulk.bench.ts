import { SANDBOX_CREDENTIALS } from '../../libs/platform-sandbox/credentials';
import { runProcess, startSandboxProcess } from './support/bare-process';
import type { Benchmark, BenchmarkPlace } from './support/benchmark';
import type { Figure } from './support/figures';
import { embeddedStore, startMeasured } from './support/measured-service';
import { jobRate, startProduction } from './support/production';
import { writeRecipientList } from './support/recipient-lists';
import { upload } from './support/uploads';
import { platformSettings } from '../support/process/service';

const ROUNDS = 3;
const LATENCY_MS = 50;
const FEW = 32;
const MANY = 256;
const ROWS = { few: 6000, many: 20_000 };
/** The maximum for this few requests in flight: a lane limits them by its pace only. */
const PACE_OF_FEW = (FEW * 1000) / LATENCY_MS;

interface BareSend {
  perSecond: number;
  cpuSeconds: number;
}

interface Rates {
  perSecond: number[];
  cpu: number[];
}

/** The speed of a job that neither pace nor platform limits. */
export const bulkBenchmark: Benchmark = {
  name: 'bulk',
  question: `a job, platform at ${LATENCY_MS} ms; the bare loop sends with undici and writes one row each in batches`,
  async run(place) {
    const sandbox = await startSandboxProcess({ messagesPerSecond: 0, statuses: false, latencyMs: LATENCY_MS });
    try {
      return [
        ...(await withFew(place, sandbox.url)),
        ...(await withMany(place, sandbox.url)),
        await onEmbedded(place.folder, sandbox.url),
      ];
    } finally {
      await sandbox.stop();
    }
  },
};

async function withFew(place: BenchmarkPlace, platformUrl: string): Promise<Figure[]> {
  const measured = await inTurn(place, platformUrl, FEW, ROWS.few, PACE_OF_FEW);
  if (!measured) return [];
  return [
    {
      what: `worker paced to ${PACE_OF_FEW}/s, loop with ${FEW} in flight`,
      unit: 'messages/s',
      ours: measured.ours.perSecond,
      bare: measured.bare.perSecond,
      limits: [{ of: 'ratio', bound: 'at least', value: 0.9 }],
    },
  ];
}

async function withMany(place: BenchmarkPlace, platformUrl: string): Promise<Figure[]> {
  const measured = await inTurn(place, platformUrl, MANY, ROWS.many, 100_000);
  if (!measured) return [];
  const { ours, bare } = measured;
  return [
    {
      what: `both with ${MANY} in flight`,
      unit: 'messages/s',
      ours: ours.perSecond,
      bare: bare.perSecond,
      limits: [{ of: 'ratio', bound: 'at least', value: 0.85 }],
    },
    {
      what: 'processor time of the worker',
      unit: 's per 1,000',
      ours: ours.cpu,
      bare: bare.cpu,
      limits: [{ of: 'ratio', bound: 'at most', value: 1.5 }],
    },
  ];
}

/** Runs a worker and the bare loop one after the other, `ROUNDS` times after a warm-up round. */
async function inTurn(
  place: BenchmarkPlace,
  platformUrl: string,
  inFlight: number,
  messages: number,
  pace: number,
): Promise<{ ours: Rates; bare: Rates } | null> {
  const env = { ...platformSettings(platformUrl), MESSAGES_PER_SECOND: String(pace) };
  const production = await startProduction(place, env);
  if (!production) return null;
  const { api, store } = production;
  const worker = await production.worker();
  const list = writeRecipientList(place.folder, 'csv', messages);
  const { phoneNumberId, accessToken } = SANDBOX_CREDENTIALS;
  const order = { databaseUrl: store.databaseUrl, platformUrl, phoneNumberId, accessToken, messages, inFlight };
  const ours: Rates = { perSecond: [], cpu: [] };
  const bare: Rates = { perSecond: [], cpu: [] };
  try {
    for (let round = 0; round <= ROUNDS; round++) {
      const before = worker.cpuSeconds();
      const { jobId } = await upload(api, list, messages);
      const rate = await jobRate(api, jobId, messages);
      const cpu = worker.cpuSeconds() - before;
      const loop = await runProcess<BareSend>('bare-send.ts', order);
      if (round === 0) continue;
      ours.perSecond.push(rate);
      ours.cpu.push((cpu * 1000) / messages);
      bare.perSecond.push(loop.perSecond);
      bare.cpu.push((loop.cpuSeconds * 1000) / messages);
    }
    return { ours, bare };
  } finally {
    await worker.stop();
    await production.stop();
  }
}

async function onEmbedded(folder: string, platformUrl: string): Promise<Figure> {
  const store = await embeddedStore(folder);
  const service = await startMeasured(store, { ...platformSettings(platformUrl), MESSAGES_PER_SECOND: '100000' });
  try {
    const { jobId } = await upload(service, writeRecipientList(folder, 'csv', ROWS.few), ROWS.few);
    return { what: 'embedded', unit: 'messages/s', ours: [await jobRate(service, jobId, ROWS.few)] };
  } finally {
    await service.stop();
    await store.drop();
  }
}
