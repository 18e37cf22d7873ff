/** `node config/code-cache.cjs dist` writes V8's code cache beside the service's bundles, so that startup compiles nothing. */
const { mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join, resolve } = require('node:path');

const folder = resolve(process.argv[2]);
const { run, loaded } = require(join(folder, 'load-bundle.cjs'));
const written = mkdtempSync(join(tmpdir(), 'code-cache-'));

// This program loads the same modules as the service, but needs no database or port.
process.argv[2] = written;
run('service', 'src/programs/openapi');
process.once('beforeExit', () => {
  rmSync(written, { recursive: true });
  for (const [name, { script }] of loaded) {
    const code = script.createCachedData();
    writeFileSync(join(folder, 'bundles', `${name}.js.cache`), code);
  }
});
