import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const DIST = resolve(__dirname, '../../dist');
const MOST_FILES = 20;

/** What a process says in its last line, as JSON, after it has run `code` with plain Node. */
function told<Answer>(code: string): Answer {
  const output = execFileSync(process.execPath, ['-e', code], { env: { PATH: process.env.PATH }, encoding: 'utf8' });
  return JSON.parse(output.trim().split('\n').at(-1)!) as Answer;
}

describe('What is built', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'built-programs-'));
  });

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('loads few files for all parts of the service, no package beside its bundle, and compiles nothing', () => {
    // This program reads all modules and routes as a start does, and it ends.
    const loading = told<{ files: string[]; refused: Record<string, boolean> }>(`
      process.argv[2] = ${JSON.stringify(folder)};
      require('${DIST}/src/openapi.js');
      const { loaded } = require('${DIST}/load-bundle.cjs');
      process.once('beforeExit', () => {
        const refused = [...loaded].map(([name, { script }]) => [name, script.cachedDataRejected]);
        console.log(JSON.stringify({ files: Object.keys(require.cache), refused: Object.fromEntries(refused) }));
      });`);
    expect(loading.files.length + Object.keys(loading.refused).length).toBeLessThan(MOST_FILES);
    expect(loading.files.filter((file) => file.includes('node_modules'))).toEqual([]);
    expect(loading.refused).toEqual({ service: false, packages: false });
  });

  it('names classes, but no function that a request makes', () => {
    const named = told<string[]>(`
      const { load } = require('${DIST}/load-bundle.cjs');
      const { Reflector } = load('packages')['@nestjs/core']();
      const { Subscriber } = load('packages')['rxjs']();
      console.log(JSON.stringify([Reflector.name, Subscriber.name]));`);
    expect(named).toEqual(['Reflector', 'Subscriber']);
    const made = ['service', 'packages'].flatMap((name) =>
      readFileSync(join(DIST, `bundles/${name}.js`), 'utf8').match(/__name\((\(|async|function)/g),
    );
    expect(made).toEqual([null, null]);
  });

  it('names the sources in stacks', () => {
    const stack = told<string>(`
      const { MessagingClient } = require('${DIST}/libs/client/public-api.js');
      try { new MessagingClient({}); } catch (error) { console.log(JSON.stringify(error.stack)); }`);
    expect(stack).toMatch(/^TypeError: .*\n {4}at new Calls \(.*\/libs\/client\/calls\.ts:\d+:\d+\)\n/);
  });

  it('tells a stack also of what is no error of its own', () => {
    const stacks = told<string[]>(`
      require('${DIST}/libs/client/public-api.js');
      const odd = { get message() { throw new Error('Nobody may read this'); } };
      Error.captureStackTrace(odd);
      console.log(JSON.stringify([odd.stack, new RangeError('far').stack]));`);
    expect(stacks[0]).toMatch(/^Error\n {4}at /);
    expect(stacks[1]).toMatch(/^RangeError: far\n {4}at /);
  });
});
