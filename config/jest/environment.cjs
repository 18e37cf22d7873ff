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

/** What a process keeps from one suite to the next is code; what it does not keep is what would make later suites slower. */
module.exports = class extends TestEnvironment {
  constructor(...context) {
    super(...context);
    // Jest would read a bundle of megabytes for each suite.
    this.global.bundleOnce = (filename) => {
      if (!bundles.has(filename)) bundles.set(filename, readFileSync(filename, 'utf8'));
      const parameters = ['exports', 'require', 'module', '__filename', '__dirname'];
      return vm.compileFunction(bundles.get(filename), parameters, { filename, parsingContext: this.getVmContext() });
    };
  }

  async teardown() {
    await super.teardown();
    // Each one in use makes every promise of the process dearer.
    for (const storage of storages) storage.disable();
    storages.clear();
  }
};
