/** `node config/code-cache.cjs dist` writes what V8 compiles of the service's bundles beside them: a start compiles nothing then. */
const { mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join, resolve } = require('node:path');

const folder = resolve(process.argv[2]);
const { run, loaded, whileLoading } = require(join(folder, 'load-bundle.cjs'));
const written = mkdtempSync(join(tmpdir(), 'code-cache-'));

// This program loads, and Nest reads, what a service does, and it needs no database and no port.
process.argv[2] = written;
run('service', 'src/openapi');
process.once('beforeExit', () => {
  rmSync(written, { recursive: true });
  for (const [name, { script }] of loaded) {
    const code = whileLoading(() => script.createCachedData());
    writeFileSync(join(folder, 'bundles', `${name}.js.cache`), code);
  }
});
