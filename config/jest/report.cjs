const { writeFileSync } = require('node:fs');
const { join, relative } = require('node:path');

const ROOT = join(__dirname, '../..');

/** Writes the results of a run to the folder JEST_REPORTS, for a summary of several runs. */
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
    const failed = results.testResults.flatMap(({ testFilePath, testResults, testExecError }) => [
      ...(testExecError ? [`${relative(ROOT, testFilePath)} (did not run)`] : []),
      ...testResults
        .filter(({ status }) => status === 'failed')
        .map(({ fullName }) => `${relative(ROOT, testFilePath)}: ${fullName}`),
    ]);
    const suites = results.testResults.map(({ testFilePath, perfStats }) => ({
      path: relative(ROOT, testFilePath),
      seconds: Math.round((perfStats.end - perfStats.start) / 1000),
    }));
    const report = { numPassedTests, numFailedTests, numRuntimeErrorTestSuites, passedWhenRepeated, failed, suites };
    writeFileSync(join(process.env.JEST_REPORTS, `${process.pid}-${Date.now()}.json`), JSON.stringify(report));
  }
};
