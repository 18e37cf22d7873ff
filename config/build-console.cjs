/**
 * Builds the console of libs/console for browsers: hashed names, a chunk for each area of screens, and a gzip and brotli version of each file.
 * `node config/build-console.cjs --watch` rebuilds dist/console after each change.
 */
const { createHash } = require('node:crypto');
const { mkdirSync, readdirSync, readFileSync, writeFileSync } = require('node:fs');
const { basename, extname, join, relative } = require('node:path');
const { promisify } = require('node:util');
const zlib = require('node:zlib');

const ROOT = join(__dirname, '..');
const SOURCES = join(ROOT, 'libs/console');
const PUBLIC_PATH = '/console/assets/';
/** Smaller files are not worth compressing. */
const MIN_COMPRESSED_BYTES = 1024;
const gzip = promisify(zlib.gzip);
const brotli = promisify(zlib.brotliCompress);
// Quality 9 clears tens of megabytes for each file, which takes four times as long, and compresses less.
const BROTLI = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 11 } };

/** What main.ts loads once the language is known. */
const START = 'app/start.tsx';
const SHARED = 'app/shared-parts.ts';
const FURTHER = 'app/further-parts.ts';
const SCREENS = 'app/screens.ts';
/** What the overview imports as soon as it runs. */
const LISTS = 'screens/overview/lists.ts';
/** `path: '/jobs/:jobId', … import('./areas/jobs')`. */
const SCREEN = /path: '\/([^'/]*)[^]*?import\('([^']+)'\)/g;
/**
 * Whatever is loaded on demand imports START, which the page has loaded before; screens also import what most of them share.
 * Otherwise each part would be in a chunk with those that exactly the same screens share: some 80 chunks, which compress worse.
 */
const WITH_SHARED = {
  name: 'with-shared',
  setup({ onLoad, onResolve }) {
    const onDemand = new Set();
    onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined;
      const file = join(resolveDir, path);
      if (`${file}.tsx` !== files(START)[0]) onDemand.add(file);
      return undefined;
    });
    onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
      if (!onDemand.has(path.replace(/\.tsx?$/, ''))) return undefined;
      const imports = files(...sharedBy(relative(SOURCES, path))).map((file) => `import ${JSON.stringify(file)};`);
      return { contents: imports.join('') + readFileSync(path, 'utf8'), loader: extname(path).slice(1) };
    });
  },
};

/** The generated client always contains streams, which the console reads with `serverSentEvents` of libs/client/job-events.ts. */
const WITHOUT_GENERATED_STREAMS = {
  name: 'without-generated-streams',
  setup({ onLoad }) {
    const contents = 'export const createSseClient = undefined;';
    onLoad({ filter: /[/\\]generated[/\\]core[/\\]serverSentEvents\.gen\.ts$/ }, () => ({ contents }));
  },
};

function sharedBy(file) {
  if (file.startsWith('screens/overview/')) return [START, SHARED];
  return /^(app\/areas|screens)\//.test(file) ? [START, SHARED, FURTHER] : [START];
}

/** Writes index.html and assets into `folder`. */
async function buildConsole(folder) {
  const { build } = require('esbuild');
  const assets = join(folder, 'assets');
  const modules = await build({
    ...options(assets),
    entryPoints: files('main.ts', 'styles.css', 'print.css'),
    format: 'esm',
    splitting: true,
    plugins: [WITH_SHARED, WITHOUT_GENERATED_STREAMS],
  });
  // The theme must run before the page is painted, so it is a plain script that waits for no module.
  const theme = await build({
    ...options(assets),
    entryPoints: files('theme.ts'),
    format: 'iife',
    define: { CODE_OF_SCREENS: JSON.stringify(codeOfScreens(modules)) },
  });
  const favicon = readFileSync(join(SOURCES, 'favicon.svg'));
  const names = { ...entries(modules), ...entries(theme), 'favicon.svg': `favicon-${hashOf(favicon)}.svg` };
  const faviconFile = join(assets, names['favicon.svg']);
  const pageFile = join(folder, 'index.html');
  writeFileSync(faviconFile, favicon);
  writeFileSync(pageFile, page(names, [names[START], ...importsOf(modules, names[START])]));
  const built = [modules, theme].flatMap(({ metafile }) =>
    Object.keys(metafile.outputs).map((file) => join(ROOT, file)),
  );
  await Promise.all([...built, faviconFile, pageFile].map(compress));
}

/** A hash of the console's sources. */
function consoleFingerprint() {
  const hash = createHash('sha256').update(readFileSync(__filename));
  for (const folder of ['libs/console', 'libs/client']) {
    const found = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
    for (const file of found.filter((name) => /\.(tsx?|css|html|svg|json)$/.test(name)).sort()) {
      hash.update(`\0${folder}/${file}\0`).update(readFileSync(join(ROOT, folder, file)));
    }
  }
  return hash.digest('hex');
}

function options(outdir) {
  return {
    absWorkingDir: ROOT,
    outdir,
    bundle: true,
    minify: true,
    metafile: true,
    write: true,
    jsx: 'automatic',
    target: ['es2022', 'chrome123', 'firefox120', 'safari17.5'],
    define: { 'process.env.NODE_ENV': '"production"' },
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    publicPath: PUBLIC_PATH,
    legalComments: 'none',
    tsconfig: join(SOURCES, 'tsconfig.json'),
    logLevel: 'warning',
  };
}

function files(...names) {
  return names.map((name) => join(SOURCES, name));
}

/** The output name of each entry. */
function entries({ metafile }) {
  const found = Object.entries(metafile.outputs).filter(([, output]) => output.entryPoint);
  return Object.fromEntries(
    found.map(([file, { entryPoint }]) => [relative(SOURCES, join(ROOT, entryPoint)), basename(file)]),
  );
}

/** The files that the module `name` imports, directly or indirectly. */
function importsOf({ metafile }, name) {
  const imports = new Set();
  const follow = (file) => {
    for (const { path, kind } of metafile.outputs[file].imports) {
      if (kind !== 'import-statement' || imports.has(path)) continue;
      imports.add(path);
      follow(path);
    }
  };
  follow(Object.keys(metafile.outputs).find((file) => basename(file) === name));
  return [...imports].map((file) => basename(file));
}

/** The files that screens need beside START, by the first segment of their paths. */
function codeOfScreens(modules) {
  const names = entries(modules);
  const started = new Set(importsOf(modules, names[START]));
  const code = {};
  for (const [, segment, module] of readFileSync(files(SCREENS)[0], 'utf8').matchAll(SCREEN)) {
    const path = join('app', module);
    const name = names[`${path}.ts`] ?? names[`${path}.tsx`];
    const loaded = segment === '' ? [name, names[LISTS]] : [name];
    const needed = new Set(loaded.flatMap((file) => [file, ...importsOf(modules, file)]));
    code[segment] = [...needed].filter((file) => !started.has(file));
  }
  return code;
}

/** The page, with preloads for `imports`, so that browsers load them in parallel. */
function page(names, imports) {
  const preloads = imports.map((file) => `<link rel="modulepreload" href="${PUBLIC_PATH}${file}" />`).join('\n    ');
  const html = readFileSync(join(SOURCES, 'index.html'), 'utf8').replace('</head>', `  ${preloads}\n  </head>`);
  return html.replaceAll(/\{\{([^}]+)\}\}/g, (_, name) => {
    if (!names[name]) throw new Error(`index.html refers to ${name}, which is not built.`);
    return PUBLIC_PATH + names[name];
  });
}

async function compress(file) {
  const content = readFileSync(file);
  if (content.length < MIN_COMPRESSED_BYTES) return;
  writeFileSync(`${file}.gz`, await gzip(content, { level: 9 }));
  writeFileSync(`${file}.br`, await brotli(content, BROTLI));
}

function hashOf(content) {
  return createHash('sha256').update(content).digest('hex').slice(0, 8).toUpperCase();
}

module.exports = { buildConsole, consoleFingerprint };

async function buildInPlace() {
  const folder = join(ROOT, 'dist/console');
  const started = performance.now();
  mkdirSync(join(folder, 'assets'), { recursive: true });
  await buildConsole(folder);
  process.stderr.write(`Built dist/console in ${((performance.now() - started) / 1000).toFixed(1)} s\n`);
}

if (require.main === module) {
  const failed = (error) => process.stderr.write(`${error.message}\n`);
  const { watch } = require('node:fs');
  let waiting;
  buildInPlace().catch(failed);
  if (process.argv.includes('--watch')) {
    watch(SOURCES, { recursive: true }, () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => void buildInPlace().catch(failed), 50);
    });
  }
}
