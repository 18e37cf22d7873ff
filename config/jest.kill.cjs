/** Real processes that are killed at random moments; three suites at a time, as each mostly waits. */
module.exports = {
  ...require('./jest.base.cjs'),
  displayName: 'kill',
  testMatch: ['<rootDir>/test/kill/**/*.kill-spec.ts'],
  testTimeout: 300_000,
  maxWorkers: 3,
  testSequencer: '<rootDir>/config/jest.sequencer.cjs',
  reporters: ['default', '<rootDir>/config/jest-report.cjs'],
};
