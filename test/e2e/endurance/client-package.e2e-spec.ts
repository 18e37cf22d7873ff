import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { transformSync } from '@swc/core';
import { KEY, type Service, startService } from '../../support/process/service';

const ROOT = resolve(__dirname, '../../..');
const TYPES = join(ROOT, 'node_modules/@types');
const run = promisify(execFile);

describe('The package of the client', () => {
  let folder: string;
  let service: Service;
  let example: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'client-package-'));
    [service] = await Promise.all([startService(), install()]);
    const readme = await readFile(join(ROOT, 'libs/client/README.md'), 'utf8');
    example = /^```ts\n(.*?)^```/ms.exec(readme)![1]!;
  }, 120_000);

  afterAll(async () => {
    await service?.stop();
    await service?.store.drop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Packs it as published, and installs the tarball in an empty folder, without a registry. */
  async function install(): Promise<void> {
    const { stdout } = await run(process.execPath, [join(ROOT, 'config/pack-client.mjs'), join(folder, 'packed')]);
    const project = join(folder, 'project');
    await mkdir(project);
    await writeFile(join(project, 'package.json'), '{ "private": true }');
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', stdout.trim()], { cwd: project });
  }

  /** Runs a file of the project against the service; returns its output. */
  async function printed(file: string, content: string): Promise<string[]> {
    const path = join(folder, 'project', file);
    await writeFile(path, content);
    const env = { PATH: process.env.PATH, MESSAGING_URL: service.url, MESSAGING_API_KEY: KEY };
    const { stdout } = await run(process.execPath, [path], { env });
    return stdout.trim().split('\n');
  }

  const javascript = (type: 'commonjs' | 'es6') =>
    transformSync(example, { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type } }).code;
  const lines = expect.arrayContaining(['Sent', '100 %', '1 sent, 1 failed', '3 phone_invalid', 'template_not_found']);

  it('has no dependencies', async () => {
    const installed = JSON.parse(await readFile(join(folder, 'project/package-lock.json'), 'utf8')) as object;
    expect(Object.keys((installed as { packages: object }).packages)).toEqual([
      '',
      'node_modules/messaging-template-client',
    ]);
  });

  it('runs the example of its README as a module', async () => {
    expect(await printed('example.mjs', javascript('es6'))).toEqual(lines);
  });

  it('runs the example of its README from CommonJS', async () => {
    expect(await printed('example.cjs', javascript('commonjs'))).toEqual(lines);
  });

  it.each([
    ['a module of Node', 'example.mts', ['--module', 'nodenext', '--lib', 'es2023']],
    ['CommonJS of Node', 'example.cts', ['--module', 'nodenext', '--lib', 'es2023']],
    [
      'the entry of bundlers',
      'example.ts',
      ['--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'es2023,dom'],
    ],
  ])('has types for %s', async (_, file, options) => {
    await writeFile(join(folder, 'project', file), example);
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    const types = [
      '--types',
      'node',
      '--typeRoots',
      TYPES,
      '--strict',
      '--noEmit',
      '--ignoreConfig',
      '--target',
      'es2023',
    ];
    const checked = run(process.execPath, [compiler, ...types, ...options, file], { cwd: join(folder, 'project') });
    const { stdout } = await checked.catch((error: unknown) => error as { stdout: string });
    expect(stdout).toBe('');
  });
});
