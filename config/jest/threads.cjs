const { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { dirname, join, relative } = require('node:path');

const ROOT = join(__dirname, '../..');
const FOLDER = join(ROOT, 'node_modules/.cache/jest-threads');
/** What tests start hundreds of times. */
const STARTED = [
  'libs/recipient-files/reader.worker',
  'libs/recipient-files/reader.process',
  'src/infra/database/embedded-database.worker',
];

/** Threads and processes that tests start load one file each, which every run makes anew; else each would compile its sources. */
module.exports = {
  async bundle() {
    const { build } = require('esbuild');
    const { LEFT_OUT, leavingOut, OPTIONS } = require('../package-bundling.cjs');
    const { outputFiles } = await build({
      ...OPTIONS,
      entryPoints: STARTED.map((name) => join(ROOT, `${name}.ts`)),
      outbase: ROOT,
      outdir: FOLDER,
      write: false,
      plugins: [leavingOut((owner) => LEFT_OUT.has(owner))],
    });
    for (const { path, contents } of outputFiles) {
      const unfinished = `${path}.${process.pid}`;
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(unfinished, contents);
      renameSync(unfinished, path);
    }
  },

  /** Lets `require` take the bundle for the source of what is started. */
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
