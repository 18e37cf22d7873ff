/** Loaded first by the services of the tests: the WebAssembly of their databases takes longer to optimize than that saves in a short life. */
const v8 = require('node:v8');
const { isMainThread } = require('node:worker_threads');

// Not as an option of the process: code that was compiled at the build is refused under options of another.
if (!isMainThread) v8.setFlagsFromString('--liftoff-only');
