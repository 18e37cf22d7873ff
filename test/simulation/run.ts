import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runHistory } from './history';
import { PLANTED_BUGS } from './planted-bugs';
import { optionsOf } from './planted-history';
import { findPlanted } from './planted-search';
import { SeedProcesses } from './seeds';

/**
 * `--seeds N --from M` runs N histories on all processors; `--seed N` replays one and prints its events; `--bug WORDS`
 * plants the bug whose name contains these words; `--keep` writes a seed that finds each planted bug to planted-seeds.json.
 */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '2000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    bug: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
});

async function main(): Promise<void> {
  if (values.keep) return keepSeeds();
  const planted = values.bug === undefined ? undefined : PLANTED_BUGS.find(({ bug }) => bug.includes(values.bug!));
  if (values.bug !== undefined && !planted) throw new Error(`There is no bug "${values.bug}" to plant`);
  if (values.seed !== undefined) {
    const options = { ...optionsOf(planted), traced: true };
    const { trace, broken, ...counts } = await runHistory(Number(values.seed), options);
    print(...trace, JSON.stringify(counts), broken ? `BROKEN ${broken.message}` : 'All promises kept.');
    process.exitCode = broken ? 1 : 0;
    return;
  }

  const begun = Date.now();
  const processes = new SeedProcesses(availableParallelism());
  const range = { from: Number(values.from), count: Number(values.seeds), bug: planted?.bug, maxBroken: 20 };
  const { histories, events, accepted, unknown, broken } = await processes.run(range);
  processes.close();
  for (const { seed, promise, seen } of broken) print(`seed ${seed} broke "${promise}": ${seen}`);
  const took = ((Date.now() - begun) / 1000).toFixed(1);
  print(
    `${histories} histories in ${took} s: ${events} events, ${accepted} messages accepted, ${unknown} unknown, ${broken.length} broke a promise`,
  );
  report(broken.length === 0);
  process.exitCode = broken.length === 0 ? 0 : 1;
}

async function keepSeeds(): Promise<void> {
  const processes = new SeedProcesses(availableParallelism());
  const kept: [bug: string, seed: number][] = [];
  for (const { bug } of PLANTED_BUGS) {
    const found = await findPlanted(processes, bug);
    if (!found) throw new Error(`No seed finds the planted bug: ${bug}`);
    kept.push([bug, found.seed]);
  }
  processes.close();
  kept.sort(([one], [other]) => (one < other ? -1 : 1));
  writeFileSync(join(__dirname, 'planted-seeds.json'), `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`);
}

/** Adds one test to the summary over several runs. */
function report(passed: boolean): void {
  if (!process.env.JEST_REPORTS) return;
  const counts = { numPassedTests: passed ? 1 : 0, numFailedTests: passed ? 0 : 1, numRuntimeErrorTestSuites: 0 };
  writeFileSync(join(process.env.JEST_REPORTS, `simulation-${process.pid}.json`), JSON.stringify(counts));
}

function print(...lines: string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}

void main();
