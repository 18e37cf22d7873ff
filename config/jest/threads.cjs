const { createHash } = require('node:crypto');
const { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { dirname, join, relative } = require('node:path');

const ROOT = join(__dirname, '../..');
/** Of this tree alone: worktrees may share node_modules. */
const FOLDER = join(
  ROOT,
  'node_modules/.cache/jest-threads',
  createHash('sha256').update(ROOT).digest('hex').slice(0, 16),
);
/** Threads and processes that tests start hundreds of times. */
const STARTED = [
  'libs/recipient-files/reader.worker',
  'libs/recipient-files/reader.process',
  'src/infra/database/embedded-database.worker',
];

/** Bundles threads and processes that tests start into one file each, once per run; otherwise each would compile its sources. */
module.exports = {
  async bundle() {
    const { build } = require('esbuild');
    const { EXTERNAL, markExternal, OPTIONS } = require('../package-bundling.cjs');
    const { outputFiles } = await build({
      ...OPTIONS,
      entryPoints: STARTED.map((name) => join(ROOT, `${name}.ts`)),
      outbase: ROOT,
      outdir: FOLDER,
      write: false,
      plugins: [markExternal((owner) => EXTERNAL.has(owner))],
    });
    for (const { path, contents } of outputFiles) {
      const unfinished = `${path}.${process.pid}`;
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(unfinished, contents);
      renameSync(unfinished, path);
    }
  },

  /** Makes `require` load the bundle instead of the source. */
  use() {
    const { '.ts': fromSource } = require.extensions;
    const names = new Set(STARTED.map((name) => `${name}.ts`));
    require.extensions['.ts'] = (module, filename) => {
      const name = relative(ROOT, filename);
      const file = join(FOLDER, name.replace(/ts$/, 'js'));
      if (!names.has(name) || !existsSync(file)) return fromSource(module, filename);
      return module._compile(readFileSync(file, 'utf8'), filename);
    };
  },
};
