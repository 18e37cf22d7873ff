const { default: TestRunner } = require('jest-runner');

const DIED = /^A jest worker process .* was terminated by another process/;

/**
 * In CI, repeats a suite whose process died: Node.js 20 occasionally aborts when a thread ends. The summary lists the suite.
 */
module.exports = class extends TestRunner {
  #died = [];
  #runsAgain = false;

  on(event, listener) {
    return super.on(event, ([test, outcome]) => {
      if (event === 'test-file-failure' && process.env.CI && !this.#runsAgain && DIED.test(outcome.message)) {
        this.#died.push(test);
        return undefined;
      }
      if (event === 'test-file-success') outcome.processDied = this.#runsAgain;
      return listener([test, outcome]);
    });
  }

  async runTests(tests, watcher, options) {
    await super.runTests(tests, watcher, options);
    if (this.#died.length === 0) return;
    this.#runsAgain = true;
    await super.runTests(this.#died, watcher, options);
  }
};
