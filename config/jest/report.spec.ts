import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');
const SUMMARY = join(ROOT, '.ci/summary.cjs');

interface Reporter {
  onRunComplete(contexts: unknown, results: unknown): void;
}

describe('The summary of several test runs', () => {
  let folder: string;
  const before = process.env.JEST_REPORTS;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mta-summary-'));
    process.env.JEST_REPORTS = folder;
  });
  afterEach(async () => {
    if (before === undefined) delete process.env.JEST_REPORTS;
    else process.env.JEST_REPORTS = before;
    await rm(folder, { recursive: true });
  });

  /** Reports a run of one file; a test has a name and a number of runs. */
  function run(passed: [string, number][], failed: [string, number][] = [], brokenSuites = 0, seconds = 1): void {
    const JestReport = jest.requireActual<new () => Reporter>('./report.cjs');
    const results = (status: string, tests: [string, number][]) =>
      tests.map(([fullName, invocations]) => ({ status, fullName, invocations }));
    new JestReport().onRunComplete(null, {
      numPassedTests: passed.length,
      numFailedTests: failed.length,
      numRuntimeErrorTestSuites: brokenSuites,
      testResults: [
        {
          testFilePath: join(ROOT, 'src/some.spec.ts'),
          perfStats: { start: 1_000, end: 1_000 + seconds * 1_000 },
          testExecError: brokenSuites > 0 ? new Error('Cannot find module') : undefined,
          testResults: [...results('passed', passed), ...results('failed', failed)],
        },
      ],
    });
  }

  function summary(status = 0): { lines: string[]; status: number | null } {
    const { stdout, status: exitCode } = spawnSync(process.execPath, [SUMMARY, folder, String(status)], {
      encoding: 'utf8',
    });
    return { lines: stdout.trim().split('\n'), status: exitCode };
  }

  it('lists the tests that passed only when repeated, and ends with the counts of all runs', async () => {
    run([
      ['Lanes spread', 2],
      ['Lanes stay', 1],
    ]);
    await new Promise((done) => setTimeout(done, 2));
    run([['Jobs end', 1]]);

    expect(summary()).toEqual({
      lines: [
        'Passed only when repeated, to be fixed:',
        '  src/some.spec.ts: Lanes spread (run 2)',
        '',
        '3 passed, 0 failed',
      ],
      status: 0,
    });
  });

  it('lists suites of 20 seconds and more, the slowest first', async () => {
    for (const seconds of [20, 19, 120]) {
      run([['Jobs end', 1]], [], 0, seconds);
      await new Promise((done) => setTimeout(done, 2));
    }

    expect(summary().lines).toEqual([
      'Slowest suites, in seconds:',
      '   120  src/some.spec.ts',
      '    20  src/some.spec.ts',
      '',
      '3 passed, 0 failed',
    ]);
  });

  it('fails if a test failed in all its runs, and lists it', () => {
    run([['Jobs end', 1]], [['Lanes spread', 2]]);

    const lines = ['Failed:', '  src/some.spec.ts: Lanes spread', '', '1 passed, 1 failed'];
    expect(summary(1)).toEqual({ lines, status: 1 });
  });

  it('counts what a program besides Jest reports, without names', async () => {
    const report = { numPassedTests: 1, numFailedTests: 0, numRuntimeErrorTestSuites: 0 };
    await writeFile(join(folder, 'simulation-1.json'), JSON.stringify(report));

    expect(summary()).toEqual({ lines: ['1 passed, 0 failed'], status: 0 });
  });

  it('fails if a suite could not be loaded or a step besides the tests failed', () => {
    run([['Jobs end', 1]]);
    expect(summary(1)).toEqual({ lines: ['1 passed, 1 failed'], status: 1 });

    run([], [], 1);
    const lines = ['Failed:', '  src/some.spec.ts (did not run)', '', '1 passed, 1 failed'];
    expect(summary(1)).toEqual({ lines, status: 1 });
  });
});
