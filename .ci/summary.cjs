/**
 * Adds up what the test runs of .ci/run reported, as the last line of its output; exits 1 where a test failed. Names before it the
 * slowest suites, the tests that failed, and those that passed only when they were repeated: each of them depends on something that
 * it should not.
 */
const { readdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const SLOWEST = 25;
const SLOW_SECONDS = 20;

const [folder, status] = process.argv.slice(2);
let passed = 0;
let failed = 0;
const failures = [];
const repeated = [];
const suites = [];
for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
  const report = JSON.parse(readFileSync(join(folder, file), 'utf8'));
  passed += report.numPassedTests;
  failed += report.numFailedTests + report.numRuntimeErrorTestSuites;
  failures.push(...(report.failed ?? []));
  repeated.push(...(report.passedWhenRepeated ?? []));
  suites.push(...(report.suites ?? []));
}
// A step that broke before or beside the tests counts as one failure.
if (status !== '0' && failed === 0) failed = 1;
const slow = suites.filter(({ seconds }) => seconds >= SLOW_SECONDS).toSorted((a, b) => b.seconds - a.seconds);
list(
  'Slowest suites, in seconds',
  slow.slice(0, SLOWEST).map(({ path, seconds }) => `${String(seconds).padStart(4)}  ${path}`),
);
list('Passed only when repeated, to be fixed', repeated);
list('Failed', failures);
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);

function list(what, names) {
  if (names.length > 0) process.stdout.write(`\n${what}:\n${names.map((name) => `  ${name}\n`).join('')}`);
}
