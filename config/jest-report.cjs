const { writeFileSync } = require('node:fs');
const { join } = require('node:path');

/** Leaves the counts of a run in the folder that JEST_REPORTS names, for a summary over several runs. */
module.exports = class JestReport {
  onRunComplete(_, results) {
    if (!process.env.JEST_REPORTS) return;
    const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = results;
    const report = JSON.stringify({ numPassedTests, numFailedTests, numRuntimeErrorTestSuites });
    writeFileSync(join(process.env.JEST_REPORTS, `${process.pid}-${Date.now()}.json`), report);
  }
};
