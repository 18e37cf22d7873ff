/** Bundles the sources and packages into few files: loading many files would take most of the startup time. */
const { execFileSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { isBuiltin } = require('node:module');
const { basename, dirname, join, posix } = require('node:path');
const { EXTERNAL, markExternal, OPTIONS, WITHOUT_UNUSED } = require('./package-bundling.cjs');
const swcOptions = require('./swc-options.cjs');

const ROOT = join(__dirname, '..');
/** The bundles and their entry points. */
const BUNDLES = {
  service: [
    'src/main',
    ...['migrate', 'after-restore', 'rotate-encryption-key', 'new-key', 'openapi', 'demo'].map(
      (name) => `src/programs/${name}`,
    ),
  ],
  'embedded-database': ['src/infra/database/embedded-database.worker'],
  reader: ['reader.worker', 'reader.process', 'read-recipient-file'].map((name) => `libs/recipient-files/${name}`),
  sandbox: ['libs/platform-sandbox/main'],
  'command-line': ['libs/cli/main'],
  client: ['libs/client/public-api'],
};
/** The packages of this bundle have a bundle of their own, rebuilt only when they change. */
const SEPARATE_PACKAGES = 'service';
const BUILD_SCRIPTS = ['bundle.cjs', 'code-cache.cjs', 'load-bundle.cjs', 'package-bundling.cjs', 'swc-options.cjs'];
const FOLDER = 'bundles';
const TYPESCRIPT = /\.ts$/;

module.exports = { bundle, BUILD_SCRIPTS: BUILD_SCRIPTS.map((file) => join(__dirname, file)) };

/** Compiles `files` (paths from the root) and writes to `folder` the bundles and, for each program, a file that runs it from its bundle. */
async function bundle(files, folder) {
  const compiled = new Map(await Promise.all(files.map(compile)));
  mkdirSync(join(folder, FOLDER), { recursive: true });
  await Promise.all([
    bundlePackages(packagesIn(compiled), join(folder, FOLDER)),
    ...Object.keys(BUNDLES).map((name) => bundleOwn(name, compiled, join(folder, FOLDER))),
  ]);
  copyFileSync(join(__dirname, 'load-bundle.cjs'), join(folder, 'load-bundle.cjs'));
  for (const [name, entries] of Object.entries(BUNDLES)) {
    for (const entry of entries) writeProgram(name, entry, compiled, folder);
  }
  execFileSync(process.execPath, [join(__dirname, 'code-cache.cjs'), folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
    // V8 accepts stored code only under the flags of its creation: those of a build must not depend on who builds.
    env: { ...process.env, NODE_OPTIONS: '' },
  });
}

async function compile(file) {
  const { transform } = require('@swc/core');
  const text = readFileSync(join(ROOT, file), 'utf8');
  const { code } = await transform(text, {
    ...swcOptions,
    swcrc: false,
    filename: file,
    sourceFileName: basename(file),
  });
  return [file, code];
}

function packagesIn(compiled) {
  const all = [...compiled.values()].flatMap((code) => [...code.matchAll(/\brequire\("([^."][^"]*)"\)/g)]);
  const names = new Set(all.map(([, name]) => name));
  return [...names].filter((name) => !isBuiltin(name) && !EXTERNAL.has(name)).sort();
}

async function bundlePackages(names, folder) {
  const hash = createHash('sha256')
    .update(names.join())
    .update(readFileSync(join(ROOT, 'package-lock.json')));
  for (const file of BUILD_SCRIPTS) hash.update(readFileSync(join(__dirname, file)));
  const cached = join(ROOT, 'node_modules/.cache/packages-bundle', hash.digest('hex').slice(0, 16));
  if (!existsSync(cached)) {
    const unfinished = `${cached}.${process.pid}`;
    await require('esbuild').build({
      ...OPTIONS,
      stdin: { contents: parts(names.map((name) => [name, name])), resolveDir: ROOT },
      outfile: join(unfinished, 'packages.js'),
      legalComments: 'external',
      plugins: [WITHOUT_UNUSED, markExternal((owner) => EXTERNAL.has(owner)), SINGLE_REQUIRE, CLASS_NAMES_ONLY],
    });
    if (!existsSync(cached)) renameSync(unfinished, cached);
  }
  cpSync(cached, folder, { recursive: true });
}

async function bundleOwn(name, compiled, folder) {
  const outfile = join(folder, `${name}.js`);
  await require('esbuild').build({
    ...OPTIONS,
    stdin: { contents: parts(BUNDLES[name].map((entry) => [entry, `./${entry}.ts`])), resolveDir: ROOT },
    outfile,
    sourcemap: 'external',
    sourcesContent: false,
    legalComments: 'external',
    plugins: [
      own(compiled),
      ...(name === SEPARATE_PACKAGES ? [PACKAGES_BUNDLE] : []),
      markExternal((owner) => EXTERNAL.has(owner)),
      WITHOUT_UNUSED,
      SINGLE_REQUIRE,
      CLASS_NAMES_ONLY,
    ],
  });
  if (name === SEPARATE_PACKAGES) checkAscii(outfile);
}

/** `load-bundle.cjs` reads ASCII: esbuild escapes other characters in strings, but not in regular expressions. */
function checkAscii(file) {
  const [found] = /.{0,40}[\u0080-\uffff].{0,40}/.exec(readFileSync(file, 'utf8')) ?? [];
  if (found !== undefined) throw new Error(`Escape the characters outside ASCII of a regular expression: ${found}`);
}

/** A module that exports, for each part, a function that loads it. */
function parts(all) {
  return all.map(([name, path]) => `exports['${name}'] = () => require('${path}');`).join('\n');
}

function own(compiled) {
  const names = [...compiled.keys()].filter((file) => TYPESCRIPT.test(file));
  return {
    name: 'own-code',
    setup({ onLoad }) {
      onLoad({ filter: TYPESCRIPT }, ({ path }) => {
        const file = names.find((name) => join(ROOT, name) === path);
        return { contents: relocated(compiled.get(file), dirname(file)), loader: 'js' };
      });
    },
  };
}

/** Adjusts paths in the code of a folder to the folder of the bundles. */
function relocated(code, folder) {
  const path = posix.join('..', folder);
  return code
    .replace(/\b__dirname\b/g, `require("node:path").join(__dirname, "${path}")`)
    .replace(/\brequire\.resolve\('\.\/([^']+)'\)/g, `require.resolve("${path}/$1")`);
}

const PACKAGES_BUNDLE = {
  name: 'packages-bundle',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[^./]/ }, ({ path }) =>
      isBuiltin(path) || EXTERNAL.has(path) ? { path, external: true } : { path, namespace: 'packages' },
    );
    onLoad({ filter: /./, namespace: 'packages' }, ({ path }) => ({
      contents: `module.exports = require('../load-bundle.cjs').load('packages')['${path}']();`,
    }));
    onResolve({ filter: /load-bundle\.cjs$/ }, ({ path }) => ({ path, external: true }));
  },
};

/** Removes the `require` that Nest's modules create, which esbuild does not follow: it would load their packages twice. */
const SINGLE_REQUIRE = {
  name: 'single-require',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]@nestjs[\\/].*\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(/^const require = createRequire\(import\.meta\.url\);$/m, ''),
    }));
  },
};

/**
 * Keeps only the names of classes: esbuild would also set the name of every function created at run time, such as the arrow functions
 * of each request. Preserves all positions, for the source map.
 */
const CLASS_NAMES_ONLY = {
  name: 'class-names-only',
  setup({ initialOptions: { outfile }, onEnd }) {
    onEnd(({ errors }) => {
      if (errors.length > 0) return;
      const code = readFileSync(outfile, 'utf8')
        .replace(/\b__name\((?=\s*(?:\(|async\b|function\b|[\w$]+=>))/g, '__same(')
        .replace(/\b__name\(\s*[\w$]+,\s*"[^A-Z][^"]*"\);/g, (call) => call.replace(/./g, ' '));
      writeFileSync(outfile, code);
    });
  },
};

function writeProgram(name, entry, compiled, folder) {
  const code = compiled.get(`${entry}.ts`);
  const program = join(folder, `${entry}.js`);
  const loader = posix.relative(dirname(entry), 'load-bundle.cjs');
  const [first] = code.split('\n', 1);
  const isProgram = first.startsWith('#!');
  mkdirSync(dirname(program), { recursive: true });
  const text = `${isProgram ? `${first}\n` : ''}module.exports = require('${loader}').run('${name}', '${entry}');\n`;
  // Files with a shebang are executable.
  writeFileSync(program, text, { mode: isProgram ? 0o755 : 0o644 });
}
