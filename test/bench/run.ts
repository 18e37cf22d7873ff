import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { bulkBenchmark } from './bulk.bench';
import { eventsBenchmark } from './events.bench';
import { extrasBenchmark } from './extras.bench';
import { growthBenchmark } from './growth.bench';
import { historyBenchmark } from './history.bench';
import { importBenchmark } from './import.bench';
import { importMillionBenchmark } from './import-million.bench';
import { lanesBenchmark } from './lanes.bench';
import { memoryBenchmark } from './memory.bench';
import { millionBenchmark } from './million.bench';
import { paceBenchmark } from './pace.bench';
import { plannerBenchmark } from './planner.bench';
import { readerBenchmark } from './reader.bench';
import { reportBenchmark } from './report.bench';
import { schedulesBenchmark } from './schedules.bench';
import { singleBenchmark } from './single.bench';
import { startBenchmark } from './start.bench';
import { streamsBenchmark } from './streams.bench';
import { tenantsBenchmark } from './tenants.bench';
import { missed, tableOf } from './support/figures';
import { webhookBenchmark } from './webhook.bench';

const BENCHMARKS = [
  startBenchmark,
  readerBenchmark,
  importBenchmark,
  importMillionBenchmark,
  singleBenchmark,
  bulkBenchmark,
  extrasBenchmark,
  paceBenchmark,
  plannerBenchmark,
  schedulesBenchmark,
  lanesBenchmark,
  memoryBenchmark,
  webhookBenchmark,
  eventsBenchmark,
  streamsBenchmark,
  reportBenchmark,
  millionBenchmark,
  historyBenchmark,
  growthBenchmark,
  tenantsBenchmark,
];

/** `npm run bench [name …]`: runs the named benchmarks, or all, and prints a table for each. */
async function main(names: string[]): Promise<void> {
  const unknown = names.filter((name) => !BENCHMARKS.some((benchmark) => benchmark.name === name));
  if (unknown.length > 0) {
    throw new Error(`No benchmark ${unknown.join(', ')}; there are ${BENCHMARKS.map(({ name }) => name).join(', ')}.`);
  }
  const postgresUrl = process.env.DATABASE_URL;
  const redisUrl = process.env.REDIS_URL;
  print(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`);
  if (!postgresUrl) print('DATABASE_URL is not set: benchmarks on PostgreSQL are skipped.');
  if (!redisUrl) print('REDIS_URL is not set: benchmarks with several processes are skipped.');
  const failures: string[] = [];
  const unmeasured: string[] = [];
  for (const benchmark of BENCHMARKS.filter(({ name }) => names.length === 0 || names.includes(name))) {
    const folder = await mkdtemp(join(tmpdir(), `mta-bench-${benchmark.name}-`));
    const begun = performance.now();
    const load = loadavg()[0]!.toFixed(1);
    try {
      const figures = await benchmark.run({ folder, postgresUrl, redisUrl });
      const seconds = Math.round((performance.now() - begun) / 1000);
      print(`\n${benchmark.name}: ${benchmark.question} (${seconds} s, load before ${load})\n${tableOf(figures)}`);
      failures.push(...missed(figures));
      if (figures.length === 0) unmeasured.push(benchmark.name);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  print(failures.length === 0 ? '\nEvery measured limit holds.' : `\nLimits missed:\n${failures.join('\n')}`);
  if (unmeasured.length > 0) print(`Not measured: ${unmeasured.join(', ')}.`);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});
