/** Loaded first by every process and thread of a test run. */
const v8 = require('node:v8');

// Worker threads that tests start are real threads outside Jest's module system. With this, production code says
// `new Worker(require.resolve('./x.worker'))` and gets x.worker.ts under Jest, x.worker.js from dist.
require('../register-typescript.cjs');
require('./threads.cjs').use();

// A suite opens the embedded database for seconds: optimizing its WebAssembly takes longer than it saves.
v8.setFlagsFromString('--liftoff-only');
