const { default: TestRunner } = require('jest-runner');

const DIED = /^A jest worker process .* was terminated by another process/;

/**
 * In CI, runs a suite once more whose process died in the middle: Node.js 20 aborts itself now and then when a thread ends. The
 * summary names the suite.
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
