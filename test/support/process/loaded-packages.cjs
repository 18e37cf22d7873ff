/** Preloaded into a service: its main thread reports on exit which packages of OpenTelemetry were loaded. */
const { isMainThread } = require('node:worker_threads');

if (isMainThread) {
  process.once('exit', () => {
    const loaded = Object.keys(require.cache).flatMap((file) => /@opentelemetry\/[\w-]+/.exec(file)?.[0] ?? []);
    process.stderr.write(`Loaded packages: ${[...new Set(loaded)].sort().join(' ')}\n`);
  });
}
