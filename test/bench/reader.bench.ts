import { runProcess } from './support/bare-process';
import type { Benchmark } from './support/benchmark';
import { type Figure, interleaved } from './support/figures';
import { type ListKind, writeRecipientList } from './support/recipient-lists';

const PAIRS = 3;
const ROWS = 200_000;
const MANY_ROWS = 1_000_000;
const KINDS: { kind: ListKind; atLeast: number }[] = [
  { kind: 'csv', atLeast: 100_000 },
  { kind: 'xlsx shared strings', atLeast: 60_000 },
  { kind: 'xlsx inline strings', atLeast: 60_000 },
];

interface Reading {
  rowsPerSecond: number;
  megabytes: number;
}

/** Speed and memory of reading recipient files, including phone checks and duplicates. */
export const readerBenchmark: Benchmark = {
  name: 'reader',
  question: 'reading files alone; the bare loop only parses the csv, or unpacks the sheet and counts its rows',
  async run({ folder }) {
    const figures: Figure[] = [];
    for (const { kind, atLeast } of KINDS) {
      const path = writeRecipientList(folder, kind, ROWS);
      const speed = await interleaved(
        PAIRS,
        async () => (await runProcess<Reading>('read-file.cjs', { path, rows: ROWS })).rowsPerSecond,
        async () => (await runProcess<Reading>('bare-read.ts', { path, rows: ROWS })).rowsPerSecond,
      );
      const bigPath = writeRecipientList(folder, kind, MANY_ROWS);
      const big = await runProcess<Reading>('read-file.cjs', { path: bigPath, rows: MANY_ROWS });
      const fastEnough = { of: 'ours', bound: 'at least', value: atLeast } as const;
      const smallEnough = { of: 'ours', bound: 'at most', value: 200 } as const;
      figures.push(
        { what: `${kind}, 200,000 rows`, unit: 'rows/s', ...speed, limits: [fastEnough] },
        { what: `${kind}, 1,000,000 rows`, unit: 'rows/s', ours: [big.rowsPerSecond], limits: [fastEnough] },
        { what: `${kind}, 1,000,000 rows, peak`, unit: 'MB', ours: [big.megabytes], limits: [smallEnough] },
      );
    }
    return figures;
  },
};
