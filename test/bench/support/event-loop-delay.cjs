/**
 * Preloaded into a service under measurement: after SIGUSR2 it writes one line with the delay of its event loop since
 * the SIGUSR2 before, in milliseconds.
 */
const { writeSync } = require('node:fs');
const { monitorEventLoopDelay } = require('node:perf_hooks');
const { isMainThread } = require('node:worker_threads');

if (isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  process.on('SIGUSR2', () => {
    const figures = { p99: delay.percentile(99) / 1e6, max: delay.max / 1e6, count: delay.count };
    delay.reset();
    writeSync(2, `event-loop-delay ${JSON.stringify(figures)}\n`);
  });
}
