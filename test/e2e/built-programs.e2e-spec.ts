import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const DIST = resolve(__dirname, '../../dist');
const MOST_FILES = 20;
/** Every process of the service keeps the text of its bundles in memory. */
const MOST_TEXT = 12_000_000;
/** Node.js prints the source line of an uncaught error. */
const LONGEST_LINE = 20_000;

/** The last output line, parsed as JSON, of a process that runs `code` with plain Node. */
function lastLineOf<Answer>(code: string): Answer {
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

  it('loads few files for all parts of the service, no package outside the bundle, and compiles nothing', () => {
    // This program loads all modules and routes like a start, and exits.
    const loading = lastLineOf<{ files: string[]; refused: Record<string, boolean> }>(`
      process.argv[2] = ${JSON.stringify(folder)};
      require('${DIST}/src/programs/openapi.js');
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
    const named = lastLineOf<string[]>(`
      const { load } = require('${DIST}/load-bundle.cjs');
      const { Reflector } = load('packages')['@nestjs/core']();
      const { Subscriber } = load('packages')['rxjs']();
      console.log(JSON.stringify([Reflector.name, Subscriber.name]));`);
    expect(named).toEqual(['Reflector', 'Subscriber']);
    const made = ['service', 'packages'].flatMap((name) =>
      readFileSync(join(DIST, `bundles/${name}.js`), 'utf8').match(/__name\(\s*(\(|async|function)/g),
    );
    expect(made).toEqual([null, null]);
  });

  it('is little text for the service, in lines that can be shown', () => {
    const texts = ['service', 'packages'].map((name) => readFileSync(join(DIST, `bundles/${name}.js`), 'latin1'));
    expect(texts.join('').length).toBeLessThan(MOST_TEXT);
    expect(Math.max(...texts.flatMap((text) => text.split('\n').map(({ length }) => length)))).toBeLessThan(
      LONGEST_LINE,
    );
  });

  it.each([
    'src/main',
    'src/programs/migrate',
    'src/programs/after-restore',
    'src/programs/rotate-encryption-key',
    'src/programs/new-key',
    'src/programs/demo',
    'libs/platform-sandbox/main',
  ])('shows the usage of %s, and exits on anything else', (program) => {
    const run = (...words: string[]) => {
      const env = { PATH: process.env.PATH };
      const { status, stdout, stderr } = spawnSync(process.execPath, [join(DIST, `${program}.js`), ...words], {
        cwd: folder,
        env,
        encoding: 'utf8',
        timeout: 20_000,
      });
      return { status, stdout, stderr };
    };
    const usage = expect.stringMatching(/Usage: npm run [a-z-]+ -- /);
    expect(run('--help')).toEqual({ status: 0, stdout: usage, stderr: '' });
    expect(run('--port', '1')).toEqual({ status: 2, stdout: '', stderr: usage });
    expect(run('one', 'two')).toEqual({ status: 2, stdout: '', stderr: usage });
  });

  it('runs the sandbox as strict as the platform, and keeps its templates in SANDBOX_DATA_DIR', async () => {
    const env = { PATH: process.env.PATH, SANDBOX_PORT: '0', SANDBOX_STRICT: 'true', SANDBOX_DATA_DIR: folder };
    const withSandbox = async <T>(use: (url: string) => Promise<T>): Promise<T> => {
      const child = spawn(process.execPath, [join(DIST, 'libs/platform-sandbox/main.js')], { env });
      try {
        const [line] = (await once(child.stdout, 'data')) as [Buffer];
        return await use(/http:\S+/.exec(line.toString())![0]);
      } finally {
        child.kill();
      }
    };
    const change = { method: 'POST', body: JSON.stringify({ name: 'hello_world', status: 'PAUSED' }) };
    const config = await withSandbox(async (url) => {
      await fetch(`${url}/sandbox/templates`, change);
      return (await fetch(`${url}/sandbox/config`)).json();
    });
    const list = await withSandbox(async (url) => {
      const headers = { authorization: 'Bearer sandbox-access-token' };
      return (await fetch(`${url}/204876543210002/message_templates?name=hello_world`, { headers })).json();
    });

    expect(config).toMatchObject({ strict: true, messagesPerSecond: 80 });
    expect(list).toMatchObject({ data: [{ name: 'hello_world', status: 'PAUSED' }] });
    const { stderr } = spawnSync(process.execPath, [join(DIST, 'libs/platform-sandbox/main.js')], {
      env: { ...env, SANDBOX_STRICT: 'yes' },
      encoding: 'utf8',
    });
    expect(stderr).toContain('SANDBOX_STRICT must be true or false, not "yes"');
  });

  it('needs nothing but the contents of the image', () => {
    const image = join(folder, 'image');
    cpSync(DIST, join(image, 'dist'), { recursive: true });
    cpSync(join(DIST, '../package.json'), join(image, 'package.json'));
    symlinkSync(join(DIST, '../node_modules'), join(image, 'node_modules'));
    const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/src/programs/migrate.js'], {
      cwd: image,
      env: { PATH: process.env.PATH, DATA_DIR: join(folder, 'data') },
      encoding: 'utf8',
      timeout: 60_000,
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('The database is up to date');
  });

  it('names the sources in stacks', () => {
    const stack = lastLineOf<string>(`
      const { MessagingClient } = require('${DIST}/libs/client/public-api.js');
      try { new MessagingClient({}); } catch (error) { console.log(JSON.stringify(error.stack)); }`);
    expect(stack).toMatch(
      /^TypeError: .*\n {4}at checkOptions \(.*\/libs\/client\/calls\.ts:\d+:\d+\)\n {4}at new Calls \(.*\/calls\.ts:\d+:\d+\)\n/,
    );
  });

  it('names them where the code was stored under another folder', () => {
    const moved = join(folder, 'moved');
    cpSync(DIST, moved, { recursive: true });
    const { refused, stack } = lastLineOf<{ refused: boolean; stack: string }>(`
      process.argv[2] = ${JSON.stringify(folder)};
      const files = require('node:fs/promises');
      const { writeFile } = files;
      let stack;
      files.writeFile = (...order) => { stack ??= new Error('written').stack; return writeFile(...order); };
      require('${moved}/src/programs/openapi.js');
      const { script } = require('${moved}/load-bundle.cjs').loaded.get('service');
      process.once('beforeExit', () => console.log(JSON.stringify({ refused: script.cachedDataRejected, stack })));`);
    expect(refused).toBe(false);
    expect(stack).toMatch(/^Error: written\n.*\n {4}at writeApiDocuments \(.*\/src\/programs\/openapi\.ts:\d+:\d+\)$/);
  });

  it('formats a stack for foreign objects too', () => {
    const stacks = lastLineOf<string[]>(`
      require('${DIST}/libs/client/public-api.js');
      const odd = { get message() { throw new Error('Nobody may read this'); } };
      Error.captureStackTrace(odd);
      console.log(JSON.stringify([odd.stack, new RangeError('far').stack]));`);
    expect(stacks[0]).toMatch(/^Error\n {4}at /);
    expect(stacks[1]).toMatch(/^RangeError: far\n {4}at /);
  });
});
