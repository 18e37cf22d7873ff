import type { Store } from '../support/process/service';
import { runProcess } from './support/bare-process';
import type { Benchmark } from './support/benchmark';
import { type Figure, interleaved } from './support/figures';
import { embeddedStore, type MeasuredService, postgresStore, startMeasured } from './support/measured-service';
import { writeRecipientList } from './support/recipient-lists';
import { upload } from './support/uploads';

const PAIRS = 3;
const ROWS = 100_000;
/** The created jobs must cost almost nothing. */
const SLOW_SENDING = { MESSAGES_PER_SECOND: '1' };
const NOT_SLOW = { of: 'ratio', bound: 'at most', value: 1.5 } as const;
/** 60,000 rows a second. */
const XLSX_IN_TIME = { of: 'ours', bound: 'at most', value: ROWS / 60_000 } as const;
const RESPONSIVE = { of: 'ours', bound: 'at most', value: 50 } as const;
const SMALL = { of: 'ours', bound: 'at most', value: 300 } as const;

interface BareImport {
  seconds: number;
}

/** The cost of an upload from its first byte to the 202, and its effect on the rest of the service. */
export const importBenchmark: Benchmark = {
  name: 'import',
  question:
    'upload of 100,000 rows until the 202; the bare loop parses and inserts (csv-parse, or our reader for xlsx)',
  async run({ folder, postgresUrl }) {
    const lists = {
      csv: writeRecipientList(folder, 'csv', ROWS),
      xlsx: writeRecipientList(folder, 'xlsx shared strings', ROWS),
    };
    const figures: Figure[] = [];
    if (postgresUrl) figures.push(...(await onPostgres(await postgresStore(folder, postgresUrl), lists)));
    return [...figures, ...(await onEmbedded(await embeddedStore(folder), lists))];
  },
};

async function onPostgres(
  store: Store & { databaseUrl: string },
  lists: { csv: string; xlsx: string },
): Promise<Figure[]> {
  const { databaseUrl } = store;
  const service = await startMeasured(store, SLOW_SENDING);
  try {
    const delays: number[] = [];
    const ours = (path: string) => async () => {
      await service.loopDelayMs();
      const { seconds } = await upload(service, path, ROWS);
      delays.push(await service.loopDelayMs());
      return seconds;
    };
    const bare = (path: string, reader: string) => async () =>
      (await runProcess<BareImport>('bare-import.ts', { databaseUrl, path, reader })).seconds;
    const csv = await interleaved(PAIRS, ours(lists.csv), bare(lists.csv, 'csv-parse'));
    const xlsx = await interleaved(PAIRS, ours(lists.xlsx), bare(lists.xlsx, 'our reader'));
    return [
      { what: 'csv, PostgreSQL', unit: 's', ...csv, limits: [NOT_SLOW] },
      { what: 'xlsx, PostgreSQL', unit: 's', ...xlsx, limits: [XLSX_IN_TIME] },
      { what: 'event loop delay p99 meanwhile', unit: 'ms', ours: delays, limits: [RESPONSIVE] },
      { what: 'peak memory of the process', unit: 'MB', ours: [service.peakMegabytes()], limits: [SMALL] },
    ];
  } finally {
    await service.stop();
    await store.drop();
  }
}

async function onEmbedded(store: Store, lists: { csv: string; xlsx: string }): Promise<Figure[]> {
  const service = await startMeasured(store, SLOW_SENDING);
  try {
    await service.loopDelayMs();
    const csv = await seconds(service, lists.csv);
    const xlsx = await seconds(service, lists.xlsx);
    return [
      { what: 'csv, embedded', unit: 's', ours: csv },
      { what: 'xlsx, embedded', unit: 's', ours: xlsx },
      { what: 'event loop delay p99, embedded', unit: 'ms', ours: [await service.loopDelayMs()] },
      { what: 'peak memory, embedded', unit: 'MB', ours: [service.peakMegabytes()] },
    ];
  } finally {
    await service.stop();
    await store.drop();
  }
}

async function seconds(service: MeasuredService, path: string): Promise<number[]> {
  return [(await upload(service, path, ROWS)).seconds, (await upload(service, path, ROWS)).seconds];
}
