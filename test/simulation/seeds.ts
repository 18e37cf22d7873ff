import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';

/** Histories of consecutive seeds, with or without a planted bug; stops after `mostBroken` broken ones. */
export interface SeedRange {
  from: number;
  count: number;
  bug?: string;
  maxBroken: number;
}

/** The sums over these histories. */
export interface SeedsReport {
  histories: number;
  events: number;
  accepted: number;
  unknown: number;
  broken: { seed: number; promise: string; seen: string }[];
}

const RANGE = 20;
const EXEC_ARGV = ['--max-semi-space-size=32', '-r', join(__dirname, '../../config/register-typescript.cjs')];

/** Processes of low priority that run histories. */
export class SeedProcesses {
  private readonly processes: ChildProcess[];

  constructor(count: number) {
    const file = join(__dirname, 'seeds.worker.ts');
    this.processes = Array.from({ length: count }, () => fork(file, { execArgv: EXEC_ARGV }));
    for (const { pid } of this.processes) if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW);
  }

  /** Runs a range; calls `onPart` after each part. */
  async run(range: SeedRange, onPart: (sum: SeedsReport) => void = () => undefined): Promise<SeedsReport> {
    const sum: SeedsReport = { histories: 0, events: 0, accepted: 0, unknown: 0, broken: [] };
    let next = range.from;
    const work = async (process: ChildProcess): Promise<void> => {
      while (next < range.from + range.count && sum.broken.length < range.maxBroken) {
        const part = { ...range, from: next, count: Math.min(RANGE, range.from + range.count - next) };
        next += part.count;
        add(sum, await answer(process, part));
        onPart(sum);
      }
    };
    await Promise.all(this.processes.map(work));
    sum.broken.sort((a, b) => a.seed - b.seed);
    return sum;
  }

  close(): void {
    for (const process of this.processes) process.disconnect();
  }
}

async function answer(process: ChildProcess, range: SeedRange): Promise<SeedsReport> {
  const ended = new AbortController();
  const exit = once(process, 'exit', { signal: ended.signal }).then(([code]) => {
    throw new Error(`The process of the histories from ${range.from} on ended with ${String(code)}`);
  });
  const message = once(process, 'message').then(([report]) => report as SeedsReport);
  process.send(range);
  try {
    return await Promise.race([message, exit]);
  } finally {
    exit.catch(() => undefined);
    ended.abort();
  }
}

function add(sum: SeedsReport, part: SeedsReport): void {
  sum.histories += part.histories;
  sum.events += part.events;
  sum.accepted += part.accepted;
  sum.unknown += part.unknown;
  sum.broken.push(...part.broken);
}
