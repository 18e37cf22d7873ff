/**
 * Before all tests: every process and thread started from here on can run TypeScript files, so production code says
 * `new Worker(require.resolve('./x.worker'))` and gets x.worker.ts under Jest, x.worker.js from dist.
 */
const workerThreads = require('node:worker_threads');

module.exports = () => {
  const hook = JSON.stringify(require.resolve('./register-typescript.cjs'));
  process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --require ${hook}`.trim();

  // Jest's child processes start with that variable. With few tests Jest stays in this process, whose threads read it
  // only from an environment that is handed to them.
  workerThreads.Worker = class Worker extends workerThreads.Worker {
    constructor(filename, options = {}) {
      super(filename, { env: process.env, ...options });
    }
  };
};
