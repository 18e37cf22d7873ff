/** Loaded first by every process and thread of a test run. */
const v8 = require('node:v8');

// Worker threads are outside Jest's module system. With this, `new Worker(require.resolve('./x.worker'))` in production code starts
// x.worker.ts under Jest and x.worker.js from dist.
require('../register-typescript.cjs');
require('./threads.cjs').use();

// A suite uses the embedded database for seconds: optimizing its WebAssembly takes longer than it saves.
v8.setFlagsFromString('--liftoff-only');
