const { createHash } = require('node:crypto');
const { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { markExternal, OPTIONS, WITHOUT_UNUSED } = require('../package-bundling.cjs');

const ROOT = join(__dirname, '../..');

/** Packages with many modules, bundled with their dependencies. */
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

const { dependencies, devDependencies } = require('../../package.json');
const OWN = new Set([...Object.keys(dependencies), ...Object.keys(devDependencies)]);

function folder() {
  const hash = createHash('sha256')
    .update(readFileSync(join(ROOT, 'package-lock.json')))
    .update(readFileSync(__filename))
    .update(readFileSync(join(__dirname, '../package-bundling.cjs')));
  return join(ROOT, 'node_modules/.cache/jest-vendor', hash.digest('hex').slice(0, 16));
}

/** Bundles packages into one file, because each suite evaluates its modules again, and thousands of small ones take seconds. */
module.exports = {
  moduleNameMapper: () => Object.fromEntries(PACKAGES.map((name, n) => [`^${name}$`, join(folder(), `${n}.js`)])),

  async bundle() {
    const target = folder();
    if (existsSync(target)) return;
    const { build } = require('esbuild');
    const unfinished = `${target}.${process.pid}`;
    mkdirSync(unfinished, { recursive: true });
    await build({
      ...OPTIONS,
      stdin: {
        contents: PACKAGES.map(
          (name, n) => `Object.defineProperty(exports, ${n}, { get: () => require('${name}') });`,
        ).join('\n'),
        resolveDir: ROOT,
      },
      outfile: join(unfinished, 'bundle.js'),
      // Packages that tests load themselves must be the same instance.
      plugins: [WITHOUT_UNUSED, markExternal((owner) => OWN.has(owner) && !PACKAGES.includes(owner))],
    });
    writeFileSync(
      join(unfinished, 'all.js'),
      "bundleOnce(__dirname + '/bundle.js')(exports, require, module, __filename, __dirname);\n",
    );
    PACKAGES.forEach((_, n) =>
      writeFileSync(join(unfinished, `${n}.js`), `module.exports = require('./all.js')[${n}];\n`),
    );
    if (!existsSync(target)) renameSync(unfinished, target);
  },
};

if (require.main === module) void module.exports.bundle();
