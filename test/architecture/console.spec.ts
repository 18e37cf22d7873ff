import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { ROOT } from './cruise';

/** What a browser loads to show the sign-in, gzipped; 10,000 of it are the formatting of messages: plurals, numbers and tags. */
const LARGEST_FIRST_LOAD = 142_000;
/** The same for the overview, signed in. */
const LARGEST_OVERVIEW = 152_000;
/** What is loaded when it is used. */
const LOADED_LATER = /^(drawer|leave-dialog|metadata\.max\.json|national-groups|search-dialog|toast-view|de)-/;
/** Each is a request, and a cache entry, of its own. */
const MOST_SCRIPTS = 40;
/**
 * Processor time of this process, which compresses, and of esbuild beside it, as a multiple of the yardstick's in the same run: 1.5 to
 * 1.7, on busy and on idle processors, of which the compression of a language's catalogue is a part.
 */
const MOST_BUILD_TIME = 2.2;
/** The packages of the console, which are most of it. */
const PACKAGES = ['react-dom/client', '@base-ui/react', '@tanstack/react-query'];
const { buildConsole } = jest.requireActual<{ buildConsole(folder: string): Promise<void> }>(
  '../../config/build-console.cjs',
);

jest.setTimeout(180_000);

/** What the build does, with the same tools, to the packages alone: bundles and compresses them. */
async function yardstick(): Promise<void> {
  const { build } = jest.requireActual<typeof import('esbuild')>('esbuild');
  const { outputFiles } = await build({
    stdin: { contents: PACKAGES.map((name) => `export * from '${name}';`).join('\n'), resolveDir: ROOT },
    absWorkingDir: ROOT,
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  gzipSync(outputFiles[0]!.contents, { level: 9 });
  brotliCompressSync(outputFiles[0]!.contents);
}

async function secondsOf(work: () => unknown): Promise<number> {
  const before = await processorSeconds();
  await work();
  return (await processorSeconds()) - before;
}

describe('The built console', () => {
  let folder: string;
  let page: string;
  let buildTime: number;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'console-'));
    // The best of three: other work on shared processors doubles a single one.
    const builds = [];
    const yardsticks = [];
    for (let n = 0; n < 3; n++) {
      yardsticks.push(await secondsOf(yardstick));
      builds.push(await secondsOf(() => buildConsole(folder)));
    }
    buildTime = Math.min(...builds) / Math.min(...yardsticks);
    page = await readFile(join(folder, 'index.html'), 'utf8');
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  const asset = (name: string) => readFile(join(folder, 'assets', name));
  const named = (text: string) => [...text.matchAll(/\/console\/assets\/([\w.-]+)/g)].map((match) => match[1]!);

  /** These assets and all that they always need; `import("…")` are the areas. */
  const neededBy = async (names: readonly string[]) => {
    const loaded = new Set(names);
    for (const name of loaded) {
      if (!name.endsWith('.js')) continue;
      const text = (await asset(name)).toString();
      for (const [, part] of text.matchAll(/\b(?:from|import) ?"\/console\/assets\/([\w.-]+)"/g)) loaded.add(part!);
    }
    expect(loaded.size).toBeGreaterThan(3);
    return [...loaded];
  };

  /** Their gzipped size. */
  const loadOf = async (names: readonly string[]) => {
    const sizes = (await neededBy(names)).map(async (name) => gzipSync(await asset(name)).length);
    return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  };

  /** The scripts that are loaded by import(), screens and parts of screens. */
  const onDemand = async () => {
    const files = (await readdir(join(folder, 'assets'))).filter((name) => name.endsWith('.js'));
    const texts = (await Promise.all(files.map(async (name) => (await asset(name)).toString()))).join('\n');
    const imported = texts.matchAll(/\bimport\("\/console\/assets\/([\w.-]+)"\)/g);
    return [...new Set([...imported].map(([, name]) => name!))].filter((name) => !name.startsWith('start-'));
  };

  it(`loads less than ${LARGEST_FIRST_LOAD} bytes for the sign-in, and ${LARGEST_OVERVIEW} for the overview`, async () => {
    const files = await readdir(join(folder, 'assets'));
    const overview = files.filter((name) => /^overview-screen-\w+\.js$/.test(name));
    expect(overview).toHaveLength(1);
    expect(await loadOf(named(page))).toBeLessThan(LARGEST_FIRST_LOAD);
    expect(await loadOf([...named(page), ...overview])).toBeLessThan(LARGEST_OVERVIEW);
  });

  it('loads all scripts of any screen in parallel', async () => {
    const first = named(page).filter((name) => name.endsWith('.js'));
    const theme = (await asset(first.find((name) => name.startsWith('theme-'))!)).toString();
    const screens = (await onDemand()).filter((name) => !LOADED_LATER.test(name));
    expect(screens.length).toBeGreaterThanOrEqual(7);
    for (const screen of screens) {
      const unknown = (await neededBy([screen])).filter((name) => !first.includes(name) && !theme.includes(name));
      expect([screen, unknown]).toEqual([screen, []]);
    }
  });

  it(`has at most ${MOST_SCRIPTS} scripts`, async () => {
    const scripts = (await readdir(join(folder, 'assets'))).filter((name) => name.endsWith('.js'));
    expect(scripts.length).toBeLessThanOrEqual(MOST_SCRIPTS);
  });

  it('is built in little more processor time than its packages', () => {
    expect(buildTime).toBeLessThan(MOST_BUILD_TIME);
  });

  it('has no inline code or style in its page, and only existing files', async () => {
    expect(page).not.toMatch(/<style|style=|\son\w+=|<script(?![^>]* src=)/);
    const files = await readdir(join(folder, 'assets'));
    expect(named(page).filter((name) => !files.includes(name))).toEqual([]);
  });

  it('has gzip and brotli versions of each large file', async () => {
    const files = await readdir(join(folder, 'assets'));
    const scripts = files.filter((name) => name.endsWith('.js'));
    const sizes = await Promise.all(scripts.map(async (name) => (await asset(name)).length));
    const main = scripts[sizes.indexOf(Math.max(...sizes))]!;
    const content = await asset(main);
    expect(gunzipSync(await asset(`${main}.gz`)).equals(content)).toBe(true);
    expect(brotliDecompressSync(await asset(`${main}.br`)).equals(content)).toBe(true);
  });
});

/** Processor time of this process and of its children that run, as Linux counts it in ticks of 10 ms. */
async function processorSeconds(): Promise<number> {
  const children = await readFile(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8');
  const stats = [process.pid, ...children.split(' ').filter(Boolean)].map((pid) =>
    readFile(`/proc/${pid}/stat`, 'utf8'),
  );
  return (await Promise.all(stats)).reduce((sum, stat) => {
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return sum + (Number(fields[11]) + Number(fields[12])) / 100;
  }, 0);
}
