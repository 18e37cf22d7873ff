import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SANDBOX_CREDENTIALS } from '../../libs/platform-sandbox/credentials';
import { runProcess, type ServerProcess, startServer } from './support/bare-process';
import type { Benchmark } from './support/benchmark';
import { type Figure, interleaved, type Limit } from './support/figures';
import { wholeLedger } from './support/ledger';
import { jobRate, type Production, inProduction } from './support/production';
import { writeRecipientList } from './support/recipient-lists';
import { upload } from './support/uploads';

interface Shape {
  perBody: number;
  count: number;
  concurrency: number;
  /** Statuses per second. */
  atLeast: number;
  respondsIn: Limit[];
}

const PAIRS = 3;
const SHAPES: Shape[] = [
  {
    perBody: 1,
    count: 4000,
    concurrency: 16,
    atLeast: 3000,
    respondsIn: [{ of: 'ours', bound: 'at most', value: 50 }],
  },
  { perBody: 50, count: 15_000, concurrency: 8, atLeast: 15_000, respondsIn: [] },
];
const STEADY = { perBody: 50, perSecond: 1500, count: 15_000, concurrency: 16, jobRate: 1000 };
/** Every process reads the settings of a sender at least this often. */
const PACE_TAKES_EFFECT_MS = 2000;
const WEBHOOK = '/webhooks/platform';

interface LoadResult {
  perSecond: number;
  p99: number;
}

/** Statuses accepted per second, and the response time of each body. */
export const webhookBenchmark: Benchmark = {
  name: 'webhook',
  question: 'statuses of the platform; the bare receiver checks the HMAC, parses, and commits one UPDATE in batches',
  async run(place) {
    const settings = { platform: { messagesPerSecond: 0, statuses: false }, pace: 100_000 };
    const figures = await inProduction(place, settings, async (production, sandbox) => {
      const { file, next } = await sendAll(place.folder, production, sandbox);
      return [
        ...(await againstBareReceiver(production, file, next)),
        await whileSending(place.folder, production, sandbox, file, next),
      ];
    });
    return figures ?? [];
  },
};

/** Sends as many messages as statuses will be reported; `next` returns each part of the ledger once. */
async function sendAll(folder: string, production: Production, sandbox: ServerProcess) {
  const ours = SHAPES.reduce((sum, { count }) => sum + count * (PAIRS + 1), 0);
  const messages = ours + STEADY.count;
  const worker = await production.worker();
  try {
    const { jobId } = await upload(production.api, writeRecipientList(folder, 'csv', messages), messages);
    await jobRate(production.api, jobId, messages);
  } finally {
    await worker.stop();
  }
  const file = join(folder, 'ledger.json');
  writeFileSync(file, JSON.stringify(await wholeLedger(sandbox.url)));
  let from = 0;
  const next = (count: number): { from: number; count: number } => ({ from: (from += count) - count, count });
  return { file, next };
}

type NextPart = (count: number) => { from: number; count: number };

async function againstBareReceiver(production: Production, ledgerFile: string, next: NextPart): Promise<Figure[]> {
  const { databaseUrl } = production.store;
  const { appSecret } = SANDBOX_CREDENTIALS;
  const bare = await startServer('bare-webhook.ts', { databaseUrl, ledgerFile, appSecret });
  try {
    const figures: Figure[] = [];
    for (const { perBody, count, concurrency, atLeast, respondsIn: respondsIn } of SHAPES) {
      const p99: number[] = [];
      const rate = async (url: string, path: string, part: { from: number; count: number }): Promise<number> => {
        const order = { url, path, ledgerFile, ...part, perBody, concurrency };
        const result = await runProcess<LoadResult>('status-load.ts', order);
        if (path === WEBHOOK) p99.push(result.p99);
        return result.perSecond;
      };
      const warmUp = next(count);
      await rate(production.api.url, WEBHOOK, warmUp);
      await rate(bare.url, '/webhook', warmUp);
      let part = warmUp;
      const rates = await interleaved(
        PAIRS,
        () => rate(production.api.url, WEBHOOK, (part = next(count))),
        () => rate(bare.url, '/webhook', part),
      );
      figures.push({
        what: `${perBody} a body`,
        unit: 'statuses/s',
        ...rates,
        limits: [{ of: 'ours', bound: 'at least', value: atLeast }],
      });
      figures.push({ what: `${perBody} a body, answer p99`, unit: 'ms', ours: p99.slice(1), limits: respondsIn });
    }
    return figures;
  } finally {
    await bare.stop();
  }
}

/** Response times of bodies at a steady rate while a job sends. */
async function whileSending(
  folder: string,
  production: Production,
  sandbox: ServerProcess,
  ledgerFile: string,
  next: NextPart,
): Promise<Figure> {
  const worker = await production.worker();
  try {
    await setPace(production, STEADY.jobRate);
    const seconds = STEADY.count / STEADY.perSecond;
    const recipients = STEADY.jobRate * (seconds + 4);
    const before = (await wholeLedger(sandbox.url)).length;
    const { jobId } = await upload(production.api, writeRecipientList(folder, 'csv', recipients), recipients);
    const { p99 } = await runProcess<LoadResult>('status-load.ts', {
      url: production.api.url,
      path: WEBHOOK,
      ledgerFile,
      ...STEADY,
      ...next(STEADY.count),
    });
    const sent = (await wholeLedger(sandbox.url)).length - before;
    await production.api.client.post(`/bulk-jobs/${jobId}/cancel`);
    return {
      what: `answer p99 at ${STEADY.perSecond} statuses/s while a job sends ${Math.round(sent / seconds)}/s`,
      unit: 'ms',
      ours: [p99],
      limits: [{ of: 'ours', bound: 'at most', value: 100 }],
    };
  } finally {
    await worker.stop();
  }
}

async function setPace({ api }: Production, messagesPerSecond: number): Promise<void> {
  const { items } = (await api.client.get('/accounts')).body as { items: { id: string }[] };
  const body = { sender: { messagesPerSecond } };
  const { status } = await api.client.call('PATCH', `/accounts/${items[0]!.id}`, { body });
  if (status !== 200) throw new Error(`The pace was not changed: ${status}`);
  await new Promise((done) => setTimeout(done, PACE_TAKES_EFFECT_MS));
}
