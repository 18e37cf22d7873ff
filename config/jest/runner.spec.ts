import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const JEST = require.resolve('jest/bin/jest');

describe('A suite whose process dies', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mta-runner-'));
    const config = {
      rootDir: folder,
      testMatch: ['<rootDir>/*.spec.cjs'],
      runner: resolve(__dirname, 'runner.cjs'),
      maxWorkers: 2,
      reporters: [resolve(__dirname, 'report.cjs')],
    };
    await writeFile(join(folder, 'jest.config.json'), JSON.stringify(config));
    for (const name of ['one', 'two', 'three']) await suite(name, 'expect(1).toBe(1)');
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function suite(name: string, body: string): Promise<void> {
    await writeFile(join(folder, `${name}.spec.cjs`), `it('passes', () => { ${body} });`);
  }

  /** Dies in its first run only, which creates a marker file. */
  const DIES_ONCE = `
    const { existsSync, writeFileSync } = require('node:fs');
    const again = __filename + '.again';
    if (existsSync(again)) return;
    writeFileSync(again, '');
    process.kill(process.pid, 'SIGABRT')`;

  async function run(ci: string): Promise<{ status: number; report: Record<string, unknown> }> {
    const env = { ...process.env, CI: ci, JEST_REPORTS: folder, JEST_WORKER_ID: undefined };
    const status = await new Promise<number>((ended) => {
      execFile(process.execPath, [JEST, '-c', join(folder, 'jest.config.json')], { env, cwd: folder }, (error) =>
        ended(error ? Number(error.code) : 0),
      );
    });
    const file = (await readdir(folder)).find((name) => /^\d+-\d+\.json$/.test(name))!;
    return { status, report: JSON.parse(await readFile(join(folder, file), 'utf8')) as Record<string, unknown> };
  }

  it('runs again in CI, and is listed', async () => {
    await suite('dying', DIES_ONCE);

    const { status, report } = await run('true');
    expect(status).toBe(0);
    expect(report).toMatchObject({ numPassedTests: 4, numFailedTests: 0, numRuntimeErrorTestSuites: 0 });
    expect(report.passedWhenRepeated).toEqual([expect.stringMatching(/dying\.spec\.cjs \(its process died\)$/)]);
  });

  it.each([
    ['in CI when it dies again', 'true', `process.kill(process.pid, 'SIGABRT')`],
    ['elsewhere without a retry', '', DIES_ONCE],
  ])('fails %s', async (_, ci, body) => {
    await suite('dying', body);

    const { status, report } = await run(ci);
    expect(status).toBe(1);
    expect(report).toMatchObject({ numPassedTests: 3, numRuntimeErrorTestSuites: 1, passedWhenRepeated: [] });
  });
});
