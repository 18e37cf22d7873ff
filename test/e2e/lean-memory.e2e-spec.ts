import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';

const REGISTER = resolve('config/register-typescript.cjs');
const PROGRAM = resolve('src/programs/lean-memory');
/** V8 of older versions returns nothing of it. */
const RETURNS_YOUNG_GENERATION = Number(process.versions.node.split('.')[0]) >= 24;

/** Fills the young generation with objects that survive; expects the limit of a semi-space of 32 MB. */
const FILL = `
  const { getHeapSpaceStatistics } = require('node:v8');
  const youngMegabytes = () => getHeapSpaceStatistics().find((one) => one.space_name === 'new_space').space_size / 2 ** 20;
  let kept = [];
  const fill = () => {
    for (let round = 0; round < 300; round++) kept = [...kept.slice(-20), Array.from({ length: 20_000 }, () => ({ round }))];
  };`;

/** The numbers that a script prints in its own process, in which a semi-space may have 32 MB. */
function measured(script: string): number[] {
  const options = ['--max-semi-space-size=32', '-r', REGISTER, '-e', `${FILL}${script}`];
  return JSON.parse(execFileSync(process.execPath, options, { encoding: 'utf8' })) as number[];
}

describe('The memory of a process', () => {
  it('shrinks after the start to what is in use', () => {
    const [full, after] = measured(`
      fill();
      kept = [];
      const full = youngMegabytes();
      require(${JSON.stringify(PROGRAM)}).collectStartupGarbage();
      console.log(JSON.stringify([full, youngMegabytes()]));`);
    expect(full).toBeGreaterThan(16);
    expect(after).toBeLessThanOrEqual(RETURNS_YOUNG_GENERATION ? 4 : full!);
  });

  it('is limited in each thread by the limits of the thread', () => {
    const [thread] = measured(`
      require(${JSON.stringify(PROGRAM)}).keepMemoryLean({ databaseUrl: 'postgres://' });
      const { Worker } = require('node:worker_threads');
      const code = ${JSON.stringify(FILL)} + "fill(); require('node:worker_threads').parentPort.postMessage(youngMegabytes());";
      new Worker(code, { eval: true, execArgv: [], resourceLimits: { maxYoungGenerationSizeMb: 3 } }).on('message', (young) =>
        console.log(JSON.stringify([young])));`);
    expect(thread).toBeLessThanOrEqual(4);
  });
});
