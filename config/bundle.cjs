/** Makes few files of the sources and the packages: a start spends its time on loading, and on loading many files most of it. */
const { execFileSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { isBuiltin } = require('node:module');
const { basename, dirname, join, posix } = require('node:path');
const { LEFT_OUT, leavingOut, OPTIONS, WITHOUT_UNUSED } = require('./package-bundling.cjs');
const swcOptions = require('./swc-options.cjs');

const ROOT = join(__dirname, '..');
/** The bundles, and what is started or required of each. */
const BUNDLES = {
  service: ['main', 'migrate', 'after-restore', 'rotate-encryption-key', 'openapi', 'demo'].map(
    (name) => `src/${name}`,
  ),
  'embedded-database': ['src/infra/database/embedded-database.worker'],
  reader: ['reader.worker', 'reader.process', 'read-recipient-file'].map((name) => `libs/recipient-files/${name}`),
  sandbox: ['libs/platform-sandbox/main'],
  'command-line': ['libs/cli/main'],
  client: ['libs/client/public-api'],
};
/** The packages of `service` are a bundle of their own, which is made again only where they have changed. */
const APART = 'service';
const MADE_BY = ['bundle.cjs', 'code-cache.cjs', 'load-bundle.cjs', 'package-bundling.cjs', 'swc-options.cjs'];
const FOLDER = 'bundles';
const TYPESCRIPT = /\.ts$/;

module.exports = { bundle, MADE_BY: MADE_BY.map((file) => join(__dirname, file)) };

/** Compiles `files`, paths from the root, and writes into `folder` the bundles and a file for each program, which takes it from its bundle. */
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
  return [...names].filter((name) => !isBuiltin(name) && !LEFT_OUT.has(name)).sort();
}

async function bundlePackages(names, folder) {
  const hash = createHash('sha256')
    .update(names.join())
    .update(readFileSync(join(ROOT, 'package-lock.json')));
  for (const file of MADE_BY) hash.update(readFileSync(join(__dirname, file)));
  const kept = join(ROOT, 'node_modules/.cache/packages-bundle', hash.digest('hex').slice(0, 16));
  if (!existsSync(kept)) {
    const unfinished = `${kept}.${process.pid}`;
    await require('esbuild').build({
      ...OPTIONS,
      stdin: { contents: parts(names.map((name) => [name, name])), resolveDir: ROOT },
      outfile: join(unfinished, 'packages.js'),
      legalComments: 'external',
      plugins: [leavingOut((owner) => LEFT_OUT.has(owner)), WITHOUT_UNUSED, ES_MODULES_THAT_REQUIRE, NAMES_OF_CLASSES],
    });
    if (!existsSync(kept)) renameSync(unfinished, kept);
  }
  cpSync(kept, folder, { recursive: true });
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
      ...(name === APART ? [PACKAGES_APART] : []),
      leavingOut((owner) => LEFT_OUT.has(owner)),
      WITHOUT_UNUSED,
      ES_MODULES_THAT_REQUIRE,
      NAMES_OF_CLASSES,
    ],
  });
}

/** A module with a function for each part, which loads it. */
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
        return { contents: placed(compiled.get(file), dirname(file)), loader: 'js' };
      });
    },
  };
}

/** Code of a folder, as it must be in the folder of the bundles to name the same files. */
function placed(code, folder) {
  const path = posix.join('..', folder);
  return code
    .replace(/\b__dirname\b/g, `require("node:path").join(__dirname, "${path}")`)
    .replace(/\brequire\.resolve\('\.\/([^']+)'\)/g, `require.resolve("${path}/$1")`);
}

const PACKAGES_APART = {
  name: 'packages-apart',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[^./]/ }, ({ path }) =>
      isBuiltin(path) || LEFT_OUT.has(path) ? { path, external: true } : { path, namespace: 'packages' },
    );
    onLoad({ filter: /./, namespace: 'packages' }, ({ path }) => ({
      contents: `module.exports = require('../load-bundle.cjs').load('packages')['${path}']();`,
    }));
    onResolve({ filter: /load-bundle\.cjs$/ }, ({ path }) => ({ path, external: true }));
  },
};

/** Modules of Nest make themselves a `require`, which esbuild does not follow: their packages would be loaded a second time. */
const ES_MODULES_THAT_REQUIRE = {
  name: 'es-modules-that-require',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]@nestjs[\\/].*\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(/^const require = createRequire\(import\.meta\.url\);$/m, ''),
    }));
  },
};

/**
 * Whatever is made at run time would be given its name there, every arrow function of every request: only classes are known by their
 * names. Nothing is moved, as the map knows places by their lines and columns.
 */
const NAMES_OF_CLASSES = {
  name: 'names-of-classes',
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
  // Whatever begins as a program can be started as one.
  writeFileSync(program, text, { mode: isProgram ? 0o755 : 0o644 });
}
