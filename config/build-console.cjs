/**
 * Builds the console of libs/console for browsers: hashed names, one part for each screen, and beside each file what gzip and
 * brotli make of it. `node config/build-console.cjs --watch` builds dist/console again after each change.
 */
const { createHash } = require('node:crypto');
const { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } = require('node:fs');
const { basename, join, relative } = require('node:path');
const { promisify } = require('node:util');
const zlib = require('node:zlib');

const ROOT = join(__dirname, '..');
const SOURCES = join(ROOT, 'libs/console');
const PUBLIC_PATH = '/console/assets/';
/** Below this many bytes nothing is won. */
const SMALLEST_COMPRESSED = 1024;
const gzip = promisify(zlib.gzip);
const brotli = promisify(zlib.brotliCompress);
const BROTLI = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 9 } };

/** Writes index.html and assets into `folder`. */
async function buildConsole(folder) {
  const { build } = require('esbuild');
  const assets = join(folder, 'assets');
  // The theme runs before the page is painted: a plain script, for which no module has to be waited.
  const [modules, theme] = await Promise.all([
    build({ ...options(assets), entryPoints: files('main.tsx', 'styles.css'), format: 'esm', splitting: true }),
    build({ ...options(assets), entryPoints: files('theme.ts'), format: 'iife' }),
  ]);
  const favicon = readFileSync(join(SOURCES, 'favicon.svg'));
  const names = { ...entries(modules), ...entries(theme), 'favicon.svg': `favicon-${hashOf(favicon)}.svg` };
  writeFileSync(join(assets, names['favicon.svg']), favicon);
  writeFileSync(join(folder, 'index.html'), page(names, partsOf(modules, names['main.tsx'])));
  await Promise.all(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((file) => join(folder, file))
      .filter((file) => statSync(file).isFile() && statSync(file).size >= SMALLEST_COMPRESSED)
      .map(compressed),
  );
}

/** A text that changes with whatever the console is built from. */
function consoleFingerprint() {
  const hash = createHash('sha256').update(readFileSync(__filename));
  for (const folder of ['libs/console', 'libs/client']) {
    const found = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
    for (const file of found.filter((name) => /\.(tsx?|css|html|svg)$/.test(name)).sort()) {
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

/** The name of each entry as it was written. */
function entries({ metafile }) {
  const found = Object.entries(metafile.outputs).filter(([, output]) => output.entryPoint);
  return Object.fromEntries(
    found.map(([file, { entryPoint }]) => [relative(SOURCES, join(ROOT, entryPoint)), basename(file)]),
  );
}

/** The files that the module `name` imports, and those that they import. */
function partsOf({ metafile }, name) {
  const parts = new Set();
  const follow = (file) => {
    for (const { path, kind } of metafile.outputs[file].imports) {
      if (kind !== 'import-statement' || parts.has(path)) continue;
      parts.add(path);
      follow(path);
    }
  };
  follow(Object.keys(metafile.outputs).find((file) => basename(file) === name));
  return [...parts].map((file) => basename(file));
}

/** The page; it names `parts`, so that browsers need not read one file to learn of the next. */
function page(names, parts) {
  const preloads = parts.map((part) => `<link rel="modulepreload" href="${PUBLIC_PATH}${part}" />`).join('\n    ');
  const html = readFileSync(join(SOURCES, 'index.html'), 'utf8').replace('</head>', `  ${preloads}\n  </head>`);
  return html.replaceAll(/\{\{([^}]+)\}\}/g, (_, name) => {
    if (!names[name]) throw new Error(`index.html names ${name}, which is not built.`);
    return PUBLIC_PATH + names[name];
  });
}

async function compressed(file) {
  const content = readFileSync(file);
  writeFileSync(`${file}.gz`, await gzip(content, { level: 9 }));
  writeFileSync(`${file}.br`, await brotli(content, BROTLI));
}

function hashOf(content) {
  return createHash('sha256').update(content).digest('hex').slice(0, 8).toUpperCase();
}

module.exports = { buildConsole, consoleFingerprint };

async function buildInPlace() {
  const folder = join(ROOT, 'dist/console');
  const begun = performance.now();
  mkdirSync(join(folder, 'assets'), { recursive: true });
  await buildConsole(folder);
  process.stderr.write(`Built dist/console in ${((performance.now() - begun) / 1000).toFixed(1)} s\n`);
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
