/**
 * `npm run client:pack` builds libs/client for CommonJS and ES modules, with types, and packs it into a folder (`dist.client` or the
 * given one). Prints the path of the tarball, for `npm install` and `npm publish`.
 */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';

const ROOT = resolve(import.meta.dirname, '..');
const SOURCE = join(ROOT, 'libs/client');
const ENTRY = join(SOURCE, 'public-api.ts');
const FORMATS = { cjs: 'commonjs', esm: 'module' };

const target = resolve(process.argv[2] ?? join(ROOT, 'dist.client'));
const folder = mkdtempSync(join(tmpdir(), 'client-package-'));
try {
  for (const file of ['package.json', 'README.md']) copyFileSync(join(SOURCE, file), join(folder, file));
  writeTypes(join(folder, 'cjs'));
  cpSync(join(folder, 'cjs'), join(folder, 'esm'), { recursive: true });
  completeImports(join(folder, 'esm'));
  for (const [format, type] of Object.entries(FORMATS)) {
    const outfile = join(folder, format, 'public-api.js');
    await build({ entryPoints: [ENTRY], outfile, bundle: true, format, target: 'es2022', logLevel: 'error' });
    writeFileSync(join(folder, format, 'package.json'), `{ "type": "${type}" }\n`);
  }
  mkdirSync(target, { recursive: true });
  const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', target], { cwd: folder });
  process.stdout.write(`${join(target, JSON.parse(packed)[0].filename)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function writeTypes(into) {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const modules = ['--module', 'nodenext', '--moduleResolution', 'nodenext', '--target', 'es2023', '--types', 'node'];
  const emitted = ['--strict', '--declaration', '--emitDeclarationOnly', '--rootDir', SOURCE, '--outDir', into];
  const command = [compiler, '--ignoreConfig', '--skipLibCheck', ...modules, ...emitted, ENTRY];
  execFileSync(process.execPath, command, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] });
}

/** Completes the imports in ES module types, which must name files: `./client` becomes `./client/index.js`. */
function completeImports(types) {
  for (const file of readdirSync(types, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.d.ts'),
  )) {
    const path = join(types, file);
    const named = (_, before, quote, name) => {
      const isFile = existsSync(join(dirname(path), `${name}.d.ts`));
      return `${before}${quote}${name}${isFile ? '' : '/index'}.js${quote}`;
    };
    writeFileSync(path, readFileSync(path, 'utf8').replace(/(from |import\()(['"])(\.[^'"]*)\2/g, named));
  }
}
