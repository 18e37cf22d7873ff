/** Before all tests: makes every process and thread started from now on load preload.cjs first. */
const workerThreads = require('node:worker_threads');
const threads = require('./threads.cjs');

module.exports = async () => {
  await require('./vendor.cjs').bundle();
  await threads.bundle();
  const preload = require.resolve('./preload.cjs');
  require(preload);
  process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --require ${JSON.stringify(preload)}`.trim();

  // Jest's child processes inherit that variable. With few tests Jest stays in this process, whose threads read it only from an
  // explicitly passed environment.
  workerThreads.Worker = class Worker extends workerThreads.Worker {
    constructor(filename, options = {}) {
      super(filename, { env: process.env, ...options });
    }
  };
};
