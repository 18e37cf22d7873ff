const asyncHooks = require('node:async_hooks');
const { readFileSync } = require('node:fs');
const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

const { compileFunction } = vm;
const scripts = new Map();
const bundles = new Map();
const storages = new Set();

/** Jest compiles each module for each suite. Here a process compiles it once, and each suite runs it in its own context. */
vm.compileFunction = (code, parameters, options) => {
  const { filename, parsingContext } = options ?? {};
  if (!parsingContext) return compileFunction(code, parameters, options);
  if (scripts.get(filename)?.code !== code) {
    const start = `(function (${parameters.join(', ')}) {`;
    const script = new vm.Script(`${start}${code}\n})`, { filename, columnOffset: -start.length });
    scripts.set(filename, { code, script });
  }
  return scripts.get(filename).script.runInContext(parsingContext);
};

asyncHooks.AsyncLocalStorage = class AsyncLocalStorage extends asyncHooks.AsyncLocalStorage {
  constructor(...options) {
    super(...options);
    storages.add(this);
  }
};

/** Keeps compiled code between suites, and discards what would slow down later ones. */
module.exports = class extends TestEnvironment {
  constructor(...context) {
    super(...context);
    // Jest would read bundles of several megabytes for each suite.
    this.global.bundleOnce = (filename) => {
      if (!bundles.has(filename)) bundles.set(filename, readFileSync(filename, 'utf8'));
      const parameters = ['exports', 'require', 'module', '__filename', '__dirname'];
      return vm.compileFunction(bundles.get(filename), parameters, { filename, parsingContext: this.getVmContext() });
    };
  }

  async teardown() {
    await super.teardown();
    // Each active storage slows down every promise of the process.
    for (const storage of storages) storage.disable();
    storages.clear();
  }
};
