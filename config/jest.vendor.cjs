const { createHash } = require('node:crypto');
const { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const ROOT = join(__dirname, '..');

/** Packages of many modules; what they need comes with them. */
const PACKAGES = [
  'rxjs',
  '@nestjs/common',
  '@nestjs/common/constants',
  '@nestjs/core',
  '@nestjs/platform-express',
  '@nestjs/swagger',
  '@nestjs/testing',
  '@nestjs/throttler',
  '@nestjs/typeorm',
  '@nestjs/bull',
  'class-transformer',
  'class-validator',
  'typeorm',
  'undici',
  'zod',
  'exceljs',
  'express',
  'supertest',
  'prom-client',
];

const { dependencies, devDependencies } = require('../package.json');
const OWN = new Set([...Object.keys(dependencies), ...Object.keys(devDependencies)]);

const HEAD = "const vendorUrl = require('node:url').pathToFileURL(__filename).href;";

function folder() {
  const hash = createHash('sha256')
    .update(readFileSync(join(ROOT, 'package-lock.json')))
    .update(readFileSync(__filename));
  return join(ROOT, 'node_modules/.cache/jest-vendor', hash.digest('hex').slice(0, 16));
}

/** Each suite evaluates its modules anew, and thousands of small ones take seconds: here they are one file. */
module.exports = {
  moduleNameMapper: () => Object.fromEntries(PACKAGES.map((name, n) => [`^${name}$`, join(folder(), `${n}.js`)])),

  async bundle() {
    const target = folder();
    if (existsSync(target)) return;
    const { build } = require('esbuild');
    const unfinished = `${target}.${process.pid}`;
    mkdirSync(unfinished, { recursive: true });
    await build({
      stdin: {
        contents: PACKAGES.map(
          (name, n) => `Object.defineProperty(exports, ${n}, { get: () => require('${name}') });`,
        ).join('\n'),
        resolveDir: ROOT,
      },
      outfile: join(unfinished, 'all.js'),
      bundle: true,
      platform: 'node',
      format: 'cjs',
      target: 'node20',
      keepNames: true,
      supported: { 'dynamic-import': false },
      define: { 'import.meta.url': 'vendorUrl' },
      banner: { js: HEAD },
      plugins: [
        {
          name: 'one-copy-of-each-package',
          setup({ onResolve, resolve }) {
            onResolve({ filter: /^[^./]/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
              if (pluginData === 'resolving') return undefined;
              const owner = path
                .split('/')
                .slice(0, path.startsWith('@') ? 2 : 1)
                .join('/');
              // What the tests load themselves must be the same here, and what is not installed must fail only when it is used.
              if (OWN.has(owner) && !PACKAGES.includes(owner)) return { path, external: true };
              const found = await resolve(path, { kind, importer, resolveDir, pluginData: 'resolving' });
              return found.errors.length > 0 ? { path, external: true } : found;
            });
          },
        },
      ],
      logLevel: 'error',
    });
    PACKAGES.forEach((_, n) =>
      writeFileSync(join(unfinished, `${n}.js`), `module.exports = require('./all.js')[${n}];\n`),
    );
    if (!existsSync(target)) renameSync(unfinished, target);
  },
};

if (require.main === module) void module.exports.bundle();
