import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request as forwarded } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { transformSync } from '@swc/core';
import { MessagingClient } from '../../../libs/client/messaging-client';
import { documentedCode } from '../../support/documented-code';
import { listOf, phones } from '../../support/process/bulk';
import { KEY, type Service, startService } from '../../support/process/service';
import { freePort } from '../../support/free-port';

const ROOT = resolve(__dirname, '../../..');
const run = promisify(execFile);

/** Python runs if it is installed with the packages that the page requires. */
const HAS_PYTHON = spawnSync('python3', ['-c', 'import requests']).status === 0;
const PROGRAMS: [name: string, page: string, language: string, place: number, says: RegExp][] = [
  ['receives the event of its message', 'quickstart.md', 'ts', 0, /^sent (\S+)\ndelivered \1\n$/],
  ['sends once', 'integration.md', 'ts', 0, /^the same message true\n\{ refused: 'validation_failed' \}\n$/],
  ['reconciles', 'integration.md', 'ts', 1, /^changed [1-9]\d*\nchanged 0\n$/],
  ['sends and imports', 'quickstart.md', 'sh', 0, /"status":"Sent".*"invalidRows":1.*"totalCount":/s],
  ...(HAS_PYTHON
    ? (
        [['receives the event of its message', 'quickstart.md', 'python', 0, /^sent (\S+)\ndelivered \1\n$/]] as const
      ).map((one) => [...one] as [string, string, string, number, RegExp])
    : []),
];

describe('The guides for programs', () => {
  let folder: string;
  let sandbox: string;
  let service: Service;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'guides-'));
    const client = join(folder, 'node_modules/messaging-template-client');
    await mkdir(client, { recursive: true });
    await writeFile(join(client, 'index.js'), `module.exports = require('${ROOT}/dist/libs/client/public-api.js');`);
    await writeFile(join(client, 'index.d.ts'), `export * from '${ROOT}/libs/client/public-api';`);
    // The built-in sandbox, as on the page: it reports statuses to the service.
    const port = await freePort();
    sandbox = `http://127.0.0.1:${port}`;
    service = await startService({ env: { WEBHOOK_ALLOW_PRIVATE: 'true', SANDBOX_PORT: String(port) } });
  });

  afterAll(async () => {
    await service?.stop();
    await service?.store.drop();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(PROGRAMS)('have a program that %s: %s, %s', async (_, page, language, place, says) => {
    const block = documentedCode(page, language)[place]!.code;
    const { code } = transformSync(language === 'ts' ? block : '', {
      jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
      module: { type: 'commonjs' },
    });
    await writeFile(join(folder, 'program.js'), code);
    const commands: Record<string, [string, string[]]> = {
      ts: [process.execPath, [join(folder, 'program.js')]],
      sh: ['bash', ['-euo', 'pipefail', '-c', `curl() { command curl --fail-with-body "$@"; }\n${block}`]],
      python: ['python3', ['-c', block]],
    };
    const env = { PATH: process.env.PATH, MESSAGING_URL: service.url, MESSAGING_API_KEY: KEY };
    const { stdout } = await run(...commands[language]!, { cwd: folder, env, timeout: 60_000 });
    expect(stdout).toMatch(says);
  });

  it('have programs that compile', async () => {
    const programs = ['quickstart.md', 'integration.md'].flatMap((page) =>
      documentedCode(page, 'ts').map(({ code }) => code),
    );
    await Promise.all(programs.map((block, index) => writeFile(join(folder, `${index}.ts`), block)));
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types'), '--strict', '--noEmit'];
    const modules = ['--ignoreConfig', '--skipLibCheck', '--module', 'esnext', '--moduleResolution', 'bundler'];
    const files = programs.map((_, index) => `${index}.ts`);
    const checked = run(process.execPath, [compiler, ...types, ...modules, '--target', 'es2023', ...files], {
      cwd: folder,
    });
    const { stdout } = await checked.catch((error: unknown) => error as { stdout: string });
    expect(stdout).toBe('');
  });

  it('send once after a call was cut off on arrival', async () => {
    // Forwards every request to the service, and cuts the connection instead of the first two responses.
    let toCut = 2;
    const line = createServer((incoming, response) => {
      const { method, url: path, headers } = incoming;
      const handedOn = forwarded(`${service.url}${path}`, { method, headers }, (answer) => {
        if (toCut-- > 0) return void answer.resume().once('end', () => response.destroy());
        response.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(response);
      });
      incoming.pipe(handedOn);
    });
    await new Promise<void>((done) => line.listen(0, '127.0.0.1', done));
    const baseUrl = `http://127.0.0.1:${(line.address() as AddressInfo).port}`;
    const client = new MessagingClient({ baseUrl, apiKey: KEY });
    const [single, ...many] = phones(11, 60_000) as [string, ...string[]];
    try {
      expect(await client.sendTemplate({ to: single, templateName: 'hello_world' })).toMatchObject({ status: 'Sent' });
      expect(toCut).toBeLessThan(0);
      toCut = 2;
      const { content, name } = listOf(many);
      const { jobId } = await client.importFile({ file: new File([content], name), templateName: 'hello_world' });
      const seen: number[] = [];
      const done = await client.waitForJob(jobId, { onProgress: (progress) => seen.push(progress.progressPercentage) });
      expect([done.successfullySent, done.failed, seen.at(-1)]).toEqual([10, 0, 100]);
    } finally {
      line.closeAllConnections();
      line.close();
    }
    const ledger = (await (await fetch(`${sandbox}/sandbox/ledger`)).json()) as { items: { to: string }[] };
    const sent = ledger.items.map(({ to }) => to.replace('+', '')).filter((to) => [single, ...many].includes(to));
    expect(sent.sort()).toEqual([single, ...many].sort());
  });
});
