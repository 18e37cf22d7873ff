/** Real processes that are killed at random moments, one suite after the other. */
module.exports = {
  ...require('./jest.base.cjs'),
  displayName: 'kill',
  testMatch: ['<rootDir>/test/kill/**/*.kill-spec.ts'],
  testTimeout: 300_000,
  maxWorkers: 1,
  reporters: ['default', '<rootDir>/config/jest-report.cjs'],
};
