const { writeFileSync } = require('node:fs');
const { join, relative } = require('node:path');

const ROOT = join(__dirname, '../..');

/** Leaves what a run found in the folder that JEST_REPORTS names, for a summary over several runs. */
module.exports = class JestReport {
  onRunComplete(_, results) {
    if (!process.env.JEST_REPORTS) return;
    const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = results;
    const passedWhenRepeated = results.testResults.flatMap(({ testFilePath, testResults, processDied }) => [
      ...(processDied ? [`${relative(ROOT, testFilePath)} (its process died)`] : []),
      ...testResults
        .filter(({ status, invocations }) => status === 'passed' && invocations > 1)
        .map(({ fullName, invocations }) => `${relative(ROOT, testFilePath)}: ${fullName} (run ${invocations})`),
    ]);
    const report = { numPassedTests, numFailedTests, numRuntimeErrorTestSuites, passedWhenRepeated };
    writeFileSync(join(process.env.JEST_REPORTS, `${process.pid}-${Date.now()}.json`), JSON.stringify(report));
  }
};
